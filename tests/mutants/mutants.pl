#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# mutants.pl [--find | --compile] [NAME...]: breaks a copy of the library in one place at a time and
# runs the tests that must notice. Ends with 1 if a broken library passes, or if a mutation has not
# exactly one place in the code. NAME: only mutations whose names contain one of these. --find: only
# look for the places, which takes a second. --compile: only look whether what replaces them
# compiles, which takes 5 minutes; `make` must have run. SHARE=K/N: every N-th one, from the K-th
# on. Honours CC.
#
# The mutations are in the *.txt files beside this one:
#
#     name-of-the-mutation: physics/twist, api/world
#     in function
#     - expression
#     + what replaces it
#
# The function (also: macro, table, row of a list, enumeration constant) is looked for in all files
# of src and include. Spaces and line breaks of the expression do not matter; $1, $2, ... stand for
# any operand, such as b->state[k], `...` for anything up to a semicolon or a brace. The expression
# must be there once. Several `in`, `-`, `+` may follow each other. Names of tests may be followed
# by names of cases; `name = test case case` gives them a short name.
use strict;
use warnings;
$| = 1;
use Cwd qw(abs_path);
use File::Basename qw(dirname);
use File::Find qw(find);
use File::Temp qw(tempdir);

my $here = dirname(abs_path($0));
my $root = abs_path("$here/../..");
my $find_only = @ARGV && $ARGV[0] eq '--find' && shift @ARGV;
my $compile_only = @ARGV && $ARGV[0] eq '--compile' && shift @ARGV;
my $wanted = $find_only ? 'found' : $compile_only ? 'compiled' : 'caught';

# ------------------------------------------------------------------ the lists

# [{name, tests => [...], edits => [{in, old, new}]}]
sub lists_read {
    my (@mutations, %short);
    for my $list (sort glob "$here/*.txt") {
        my ($function, $last) = ('', '');
        open my $in, '<', $list or die "$list: $!\n";
        while (my $line = <$in>) {
            chomp $line;
            my $edits = @mutations ? $mutations[-1]{edits} : [];
            if ($line =~ /^(#|$)/) {
                $last = '';
            } elsif ($line =~ /^in (\w+)$/) {
                ($function, $last) = ($1, 'in');
            } elsif ($line =~ /^- (.*)/ && $last eq '-') {
                $edits->[-1]{old} .= " $1";
            } elsif ($line =~ /^- (.*)/) {
                push @$edits, {in => $function, old => $1, new => ''};
                $last = '-';
            } elsif ($line =~ /^\+ ?(.*)/ && @$edits) {
                $edits->[-1]{new} .= ($last eq '+' ? "\n" : '') . $1;
                $last = '+';
            } elsif ($line =~ /^([\w-]+) = (.+)$/) {
                $short{$1} = $2;
            } elsif ($line =~ /^([\w-]+): (.+)$/) {
                push @mutations, {name => $1, tests => [split /, */, $2], edits => []};
            } else {
                die "$list:$.: not understood: $line\n";
            }
        }
    }
    for my $mutation (@mutations) {
        $_ = $short{$_} // $_ for @{$mutation->{tests}};
    }
    return @mutations;
}

# ------------------------------------------------------------------ places in the code

my %text; # of each file

sub sources_read {
    my $read = sub {
        return unless /\.(?:[ch]|def)$/;
        open my $in, '<', $_ or die "$File::Find::name: $!\n";
        local $/;
        $text{$File::Find::name =~ s{^\./}{}r} = <$in>;
    };
    find($read, 'src', 'include');
}

# [file, begin, end] of each definition of a name.
sub definitions {
    my ($name) = @_;
    my @found;
    my $brackets = qr/(\((?:[^()]++|(?1))*+\))/;
    my $function = qr/^(?![ #\/}])[^\n;={}]*?\b$name$brackets\s*\n\{.*?^\}/ms;
    my $macro = qr/^#define $name\b(?:[^\n]*\\\n)*[^\n]*/m;
    my $table = qr/^(?![ #\/}])[^\n;={}]*\b$name(?:\[[^\n]*\])* = \{.*?\};/ms;
    my $row = qr/^[A-Z_]+\($name,.*?"\)$/ms; # of a list.def
    my $constant = qr/^enum(?: \w+)? \{[^}]*\b$name\b[^}]*\}/m;
    for my $file (sort keys %text) {
        next unless $text{$file} =~ /\b$name\b/;
        for my $kind ($function, $macro, $table, $row, $constant) {
            push @found, [$file, $-[0], $+[0]] while $text{$file} =~ /$kind/g;
        }
    }
    return @found;
}

# An expression as a pattern that any layout of the code matches.
sub pattern_of {
    my ($expression) = @_;
    my $gap = '(?:\s|\\\\\n)';
    my $operand = '(?<!\w)[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^][]*\])*(?!\w)';
    my ($pattern, $word, %seen) = ('', 0);
    while ($expression =~ /\G\s*(\$\d|\.\.\.|\w+|\S)/g) {
        my $token = $1;
        my $is_word = $token =~ /^[\w\$]/ || 0;
        $pattern .= $word && $is_word ? "$gap+" : "$gap*" if $pattern ne '';
        if ($token =~ /^\$(\d)/) {
            $pattern .= $seen{$1}++ ? "\\k<o$1>(?![\\w\\[.]|->)" : "(?<o$1>$operand)";
        } elsif ($token eq '...') {
            $pattern .= '(?<rest>[^;{}]*?)';
        } else {
            $pattern .= $is_word ? "(?<!\\w)$token(?!\\w)" : quotemeta $token;
        }
        $word = $is_word;
    }
    return qr/$pattern/;
}

# Changes the text of one file; returns its name, or what is wrong.
sub edit {
    my ($edit) = @_;
    my $pattern = pattern_of($edit->{old});
    my @definitions = definitions($edit->{in}) or return (undef, "no $edit->{in}");
    my @places;
    for my $definition (@definitions) {
        my ($file, $begin, $end) = @$definition;
        my $body = substr $text{$file}, $begin, $end - $begin;
        while ($body =~ /$pattern/g) {
            my ($new, %operand) = ($edit->{new}, %+);
            my ($from, $to) = ($-[0], $+[0]);
            $new =~ s/\$(\d)/$operand{"o$1"}/g;
            push @places, [$file, $begin + $from, $to - $from, $new];
        }
    }
    return (undef, "$edit->{in} has not: $edit->{old}") if @places == 0;
    return (undef, "$edit->{in} has " . @places . " times: $edit->{old}") if @places > 1;
    my ($file, $at, $length, $new) = @{$places[0]};
    return (undef, "nothing changes in $edit->{in}: $new")
        if substr($text{$file}, $at, $length) eq $new;
    substr $text{$file}, $at, $length, $new;
    return ($file, '');
}

sub write_file {
    my ($file) = @_;
    open my $out, '>', $file or die "$file: $!\n";
    print $out $text{$file};
    close $out or die "$file: $!\n";
}

# ------------------------------------------------------------------ building and running

# Builds and runs a test; the names of its cases that fail, or '' where all pass. One instruction
# set is enough: `make golden` compares the bits of all.
sub try {
    my ($test) = @_;
    my ($program, @cases) = split ' ', $test;
    return 'DOES-NOT-COMPILE'
        if system("make -s -j2 ISAS=baseline CFLAGS=-O1 build/tests/$program >log 2>&1") != 0;
    return '' if system("timeout 300 build/tests/$program @cases >log 2>&1") == 0;
    open my $in, '<', 'log' or die "log: $!\n";
    my %failed = map { /^\[  FAILED  \] (?:test_)?([a-z_0-9]*[a-z0-9])$/ ? ($1, 1) : () } <$in>;
    # a call of the library that fails may end the program before cmocka sums up
    return join(',', sort keys %failed) || $program;
}

# What the first test that notices a mutation says; '' where none does.
sub noticed_by {
    for my $test (@_) {
        my $noticed = try($test);
        return $noticed if $noticed ne '';
    }
    return '';
}

my %users; # objects of sources and headers

sub users_read {
    my $read = sub {
        return unless /\.d$/ && !/\.(?:avx2|avx512|v2)\.d$/;
        open my $in, '<', $_ or die "$File::Find::name: $!\n";
        local $/;
        my $object = "build/$File::Find::name" =~ s/\.d$/.o/r;
        push @{$users{$_}}, $object for <$in> =~ /\b((?:src|include)\/\S+)\b/g;
    };
    chdir "$root/build" or die "$root/build: $!\n";
    find($read, 'src');
    chdir $root or die "$root: $!\n";
}

# Whether the first object of each file compiles, or 'DOES-NOT-COMPILE'.
sub compiles {
    for my $file (@_) {
        my $object = $users{$file}[0] // die "$file: no object in build/src\n";
        return 'DOES-NOT-COMPILE'
            if system("make -s ISAS=baseline CFLAGS=-fsyntax-only $object >log 2>&1") != 0;
    }
    return '';
}

# The tests pass as long as nothing is broken.
sub sane {
    my %tests = map { map { ($_, 1) } @{$_->{tests}} } @_;
    for my $test (sort keys %tests) {
        my $noticed = try($test);
        die "$test fails before any mutation: $noticed\n" if $noticed ne '';
    }
}

# ------------------------------------------------------------------ all mutations

chdir $root or die "$root: $!\n";
sources_read();
my @mutations = grep {
    my $name = $_->{name};
    @ARGV == 0 || grep { index($name, $_) >= 0 } @ARGV;
} lists_read();
my $number = 0;
if (($ENV{SHARE} // '') =~ m{^(\d+)/([1-9]\d*)$}) {
    my ($first, $every) = ($1 % $2, $2);
    @mutations = grep { $number++ % $every == $first } @mutations;
}
users_read() if $compile_only;
unless ($find_only) {
    my $copy = tempdir(CLEANUP => 1);
    system("cp -R Makefile include src tests examples pkgconfig $copy") == 0 or exit 1;
    chdir $copy or die "$copy: $!\n";
    mkdir 'lib';
    sane(@mutations) unless $compile_only;
}
my $survived = 0;
for my $mutation (@mutations) {
    my ($noticed, %before) = ('');
    for my $edit (@{$mutation->{edits}}) {
        my %text_before = %text;
        my ($file, $wrong) = edit($edit);
        if (!defined $file) {
            $noticed = "NOT-FOUND ($wrong)";
            last;
        }
        $before{$file} //= $text_before{$file};
    }
    if ($noticed eq '' && !$find_only) {
        write_file($_) for keys %before;
        $noticed = $compile_only ? compiles(keys %before) : noticed_by(@{$mutation->{tests}});
    }
    for my $file (keys %before) {
        $text{$file} = $before{$file};
        write_file($file) unless $find_only;
    }
    my $bad = $noticed =~ /^(NOT-FOUND|DOES-NOT)/ || ($noticed eq '' && $wanted eq 'caught');
    ++$survived if $bad;
    printf "mutation=%s file=%s caught_by=%s\n", $mutation->{name}, join(',', sort keys %before),
        $noticed eq '' ? 'NOTHING' : $noticed
        if $bad || $wanted eq 'caught';
}
chdir '/';
printf "%d mutations, %d not %s\n", scalar @mutations, $survived, $wanted;
exit($survived != 0);
