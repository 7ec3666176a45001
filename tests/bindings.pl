#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# bindings.pl: does dem.hpp use each public function of the C headers, and has dem.f90 an interface
# with the same arguments and the same result? Ends with 1 where one is missing, where an argument
# has another name, another type or goes another way (value or address), and where an exception is
# none. Struct initialisers dem_X_init_sized are used where dem.hpp calls dem_X_init.
use strict;
use warnings;

# Functions that need none, and why.
my %without = (
    'C++' => [
        [qr/^dem_collision_/, 'numbers in, numbers out: nothing is owned, no message is kept'],
        [qr/^dem_kernel_/,    'numbers in, numbers out: C++ calls them as C does'],
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

# {name}: {result => type, parameters => [[type, name], ...]}
sub c_functions {
    my %functions;
    for my $header (glob 'include/dem/*.h') {
        my $text = text_of($header);
        $text =~ s{/\*.*?\*/}{}gs;
        my $start = qr/^DEM_(?:API|KERNEL)\s([^;{]*?)\b(dem_\w+)\s*/m;
        while ($text =~ /$start\(([^;{]*)\)\s*[;{]/g) {
            my ($result, $name, $list) = ($1, $2, $3);
            # parameters of callbacks
            $list =~ s/\(\s*\*\s*(\w+)\)\s*\([^()]*\)/callback $1/g;
            my @parameters;
            for my $parameter ($list =~ /^\s*void\s*$/ ? () : split /,/, $list) {
                $parameter =~ s/\s*(\w+)\s*((?:\[\w*\])?)\s*$// or die "$name: $parameter\n";
                push @parameters, [$parameter . ($2 ne '' ? ' *' : ''), $1];
            }
            $functions{$name} = {result => $result, parameters => \@parameters};
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

# {name}: {result => type, arguments => [name, ...], declared => {name: declaration}}
sub fortran_interfaces {
    my $text = text_of('include/dem/dem.f90');
    $text =~ s/!.*//g;
    $text =~ s/&\s*\n\s*&?/ /g;
    my %interfaces;
    my $head = qr/^ *(.*)\b(function|subroutine)\s+(dem_\w+)\s*\(([^)]*)\)(.*)\n/m;
    while ($text =~ /$head((?s:.*?))^ *end \2/gm) {
        my ($result, $name, $list, $rest, $body) = ($2 eq 'function' ? $1 : '', $3, $4, $5, $6);
        $name = $1 if $rest =~ /bind\(c,\s*name\s*=\s*['"](\w+)['"]/;
        my %declared;
        for my $line (grep { /::/ } split /\n/, $body) {
            my ($type, $names) = $line =~ /^\s*(.*?)\s*::\s*(.*)$/;
            $names =~ s/\([^()]*\)/()/g;
            $declared{$1} = $type . ($2 // '') while $names =~ /(\w+)(\(\))?/g;
        }
        $interfaces{$name} =
            {result => $result, arguments => [$list =~ /(\w+)/g], declared => \%declared};
    }
    return \%interfaces;
}

# ------------------------------------------------------------------ the same arguments

my %numbers = (
    double => 'real(c_double)',
    char => 'character(kind=c_char)',
    (map { $_ => 'integer(c_int32_t)' } 'dem_status', 'int32_t', 'uint32_t'),
    (map { $_ => 'integer(c_int64_t)' } 'int64_t', 'uint64_t'),
);

# What a parameter of a type may be in Fortran, as patterns of whole declarations.
sub fortran_of {
    my ($type, $structs, $fails) = @_;
    my $const = $type =~ s/\bconst\b//g;
    my $stars = ($type =~ tr/*//);
    my ($word) = $type =~ /(\w+)/;
    my $what = $numbers{$word} // ($structs->{$word} ? "type($word)" : undef);
    return ('type\(c_funptr\), value') if $word eq 'callback' || $word =~ /_(?:sink|source)$/;
    return (quotemeta "$what, value") if $stars == 0;
    return ('type\(c_ptr\), intent\((?:in)?out\)', 'type\(c_ptr\), value') if $stars == 2;
    my $intent = $const ? 'in' : $fails ? 'inout' : '(?:in)?out'; # what fails may write nothing
    my $address = 'type\(c_ptr\), value';
    return ($address) unless defined $what;
    return ($address, quotemeta($what) . ", intent\\($intent\\)(?:, target)?(?:\\(\\))?");
}

# What is not alike between a function in C and in Fortran.
sub differences {
    my ($in_c, $in_fortran, $structs) = @_;
    my @there = @{$in_fortran->{arguments}};
    my @here = map { $_->[1] } @{$in_c->{parameters}};
    return 'has the parameters (' . join(', ', @here) . '), and (' . join(', ', @there) .
        ') in dem.f90'
        if lc "@here" ne lc "@there";
    my @found;
    my $fails = $in_c->{result} !~ /^void\s*$/;
    for my $parameter (@{$in_c->{parameters}}) {
        my ($type, $name) = @$parameter;
        my $has = $in_fortran->{declared}{$name} // 'not declared';
        next if grep { $has =~ /^$_$/ } fortran_of($type, $structs, $fails);
        push @found, "$name is `$type`, and `$has` in dem.f90";
    }
    my ($result) = $in_c->{result} =~ /(\w+)\s*$/;
    my $as =
          $in_c->{result} =~ /\*/ ? 'type(c_ptr)'
        : $result eq 'void'       ? ''
        :                           $numbers{$result};
    push @found, "returns `$in_c->{result}`, and `$in_fortran->{result}` in dem.f90"
        if $in_fortran->{result} !~ /^\Q$as\E\s*$/;
    return @found;
}

my ($c, $cpp, $fortran) = (c_functions(), cpp_uses(), fortran_interfaces());
my %has = ('C++' => {}, 'Fortran' => $fortran);
my %structs = map { $_ => 1 } text_of('include/dem/dem.f90') =~ /type, bind\(c\) :: (\w+)/g;
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
    $bad = print "$name: $_\n" for differences($c->{$name}, $fortran->{$name}, \%structs);
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
