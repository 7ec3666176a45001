#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# bindings.pl: does dem.hpp use each public function of the C headers, and has dem.f90 an interface
# with as many arguments? Ends with 1 where one is missing, and where an exception is none. Struct
# initialisers dem_X_init_sized are used where dem.hpp calls dem_X_init.
use strict;
use warnings;

# Functions that need none, and why.
my %without = (
    'C++' => [
        [qr/^dem_collision_/, 'numbers in, numbers out: nothing is owned, no message is kept'],
        [qr/^dem_version$/,   'one number: the C function is the C++ function'],
    ],
    'Fortran' => [],
);

sub text_of {
    my ($path) = @_;
    open my $in, '<', $path or die "$path: $!\n";
    local $/;
    return scalar <$in>;
}

# {name}: number of parameters
sub c_functions {
    my %functions;
    for my $header (glob 'include/dem/*.h') {
        my $text = text_of($header);
        $text =~ s{/\*.*?\*/}{}gs;
        while ($text =~ /^DEM_API\s[^;{]*?\b(dem_\w+)\s*\(([^;]*)\)\s*;/gm) {
            my ($name, $list) = ($1, $2);
            $list =~ s/\([^()]*\)//g while $list =~ /\(/; # parameters of callbacks
            $functions{$name} = $list =~ /^\s*void\s*$/ ? 0 : 1 + ($list =~ tr/,//);
        }
    }
    return \%functions;
}

# {name}: 1
sub cpp_uses {
    my $text = text_of('include/dem/dem.hpp');
    $text =~ s{/\*.*?\*/}{}gs;
    return {map { $_ => 1 } $text =~ /\b(dem_\w+)\b/g};
}

# {name}: number of arguments
sub fortran_interfaces {
    my $text = text_of('include/dem/dem.f90');
    $text =~ s/!.*//g;
    $text =~ s/&\s*\n\s*&?/ /g;
    my %interfaces;
    while ($text =~ /\b(?:function|subroutine)\s+(dem_\w+)\s*\(([^)]*)\)(.*)/g) {
        my ($name, $list, $rest) = ($1, $2, $3);
        $name = $1 if $rest =~ /bind\(c,\s*name\s*=\s*['"](\w+)['"]/;
        $interfaces{$name} = $list =~ /\S/ ? 1 + ($list =~ tr/,//) : 0;
    }
    return \%interfaces;
}

my ($c, $cpp, $fortran) = (c_functions(), cpp_uses(), fortran_interfaces());
my %has = ('C++' => {}, 'Fortran' => $fortran);
my (%excepted, $bad);
for my $name (sort keys %$c) {
    $has{'C++'}{$name} = 1 if $cpp->{$name} || ($name =~ /^(.*_init)_sized$/ && $cpp->{$1});
    for my $language ('C++', 'Fortran') {
        my @exceptions = grep { $name =~ $_->[0] } @{$without{$language}};
        $excepted{"$_->[0]"} = 1 for @exceptions;
        next if defined $has{$language}{$name} xor @exceptions;
        $bad = print @exceptions ? "$name: has its $language, and is listed as an exception\n"
                                 : "$name: has no $language; add it, or list it with its reason\n";
    }
    next unless defined $fortran->{$name};
    next if $fortran->{$name} == $c->{$name};
    $bad = print "$name: has $c->{$name} parameters, and $fortran->{$name} in dem.f90\n";
}
for my $language (sort keys %without) {
    for my $exception (@{$without{$language}}) {
        next if $excepted{"$exception->[0]"};
        $bad = print "$exception->[0]: no function is such an exception of $language\n";
    }
}
my $count = keys %$c;
die "bindings.pl: $count functions are found, which cannot be all\n" if $count < 200;
print "bindings: $count functions\n" unless $bad;
exit($bad ? 1 : 0);
