#!/usr/bin/perl
# SPDX-License-Identifier: MIT
# layers.pl BUILD [DRAWING]: which file of src uses which, from its #include lines and from the
# symbols that its object in BUILD asks for. Ends with 1 where a layer uses a later one, where files
# use each other in a circle, or where a lane header needs more of the library than it may. DRAWING:
# an .svg of the layers and of what they use.
use strict;
use warnings;

# A later layer may use an earlier one.
my @layers = qw(base laws mesh shapes search contact list integrate world analysis coupling io);
my %level = map { ($layers[$_], $_) } 0 .. $#layers;

my ($build, $drawing) = @ARGV;
die "usage: layers.pl BUILD [DRAWING]\n" unless defined $build;

# ------------------------------------------------------------------ who uses whom

my (%uses, %why, %files); # {user}{used}

sub layer_of { return $_[0] =~ m{^([^/]*)/} ? $1 : '' }

sub add {
    my ($user, $used, $name) = @_;
    return if $user eq $used;
    $uses{$user}{$used} = 1;
    $why{$user}{$used} //= $name;
}

for my $path (sort glob('src/*/*.[ch] src/*/*/*.[ch] src/*/*/*/*.h src/*/*.def')) {
    my $file = $path =~ s{^src/}{}r;
    $files{$file} = 1;
    my $layer = layer_of($file);
    die "layers.pl: $layer is not a layer\n" unless exists $level{$layer};
    open my $in, '<', $path or die "$path: $!\n";
    while (<$in>) {
        next unless /^\s*#\s*include "(.*)"/;
        my $used = $1;
        $used = $file =~ s{[^/]*$}{}r . $used unless -f "src/$used";
        1 while $used =~ s{[^/]+/\.\./}{};
        die "$path:$.: there is no $used\n" unless -f "src/$used";
        add($file, $used, "#include");
    }
}

# Symbols of the copies for one instruction set stand for those of all.
my (%home, %wanted);
for my $file (sort grep { /\.c$/ } keys %files) {
    my $object = "$build/src/" . ($file =~ s/\.c$//r) . ($file =~ m{/simd/} ? '.baseline.o' : '.o');
    open my $in, '-|', 'nm', '-P', $object or die "nm: $!\n";
    while (<$in>) {
        my ($symbol, $kind) = split;
        next unless $symbol =~ /^_?demi?_/;
        $wanted{$file}{$symbol} = 1 if $kind eq 'U';
        $home{$symbol} = $file if $kind =~ /^[TDRBC]$/;
    }
    close $in or die "layers.pl: no symbols of $object\n";
}
for my $file (sort keys %wanted) {
    for my $symbol (sort keys %{$wanted{$file}}) {
        add($file, $home{$symbol}, $symbol) if defined $home{$symbol};
    }
}

# ------------------------------------------------------------------ what must not be

my $wrong = 0;
for my $user (sort keys %uses) {
    for my $used (sort keys %{$uses{$user}}) {
        next if $level{layer_of($used)} <= $level{layer_of($user)};
        print "up: $user uses $used ($why{$user}{$used})\n";
        ++$wrong;
    }
}

# Groups of files each of which reaches every other one (Tarjan).
my (%index, %low, @stack, %on_stack, @circles);
my $next = 0;
sub visit {
    my ($file) = @_;
    $index{$file} = $low{$file} = $next++;
    push @stack, $file;
    $on_stack{$file} = 1;
    for my $used (sort keys %{$uses{$file} // {}}) {
        if (!defined $index{$used}) {
            visit($used);
            $low{$file} = $low{$used} if $low{$used} < $low{$file};
        } elsif ($on_stack{$used} && $index{$used} < $low{$file}) {
            $low{$file} = $index{$used};
        }
    }
    return if $low{$file} != $index{$file};
    my @group;
    do {
        push @group, pop @stack;
        $on_stack{$group[-1]} = 0;
    } while $group[-1] ne $file;
    push @circles, [sort @group] if @group > 1;
}
for my $file (sort keys %files) {
    visit($file) unless defined $index{$file};
}
for my $circle (@circles) {
    my %in = map { ($_, 1) } @$circle;
    print "circle of ", scalar @$circle, " files:\n";
    for my $user (@$circle) {
        for my $used (grep { $in{$_} } sort keys %{$uses{$user}}) {
            print "    $user uses $used ($why{$user}{$used})\n";
        }
    }
    ++$wrong;
}

# A program for another processor can include the arithmetic of a law: beside the public headers it
# takes no more than this.
my $lane_may = qr{^(base/isa|laws/(\w+_lane|lane|slider|mindlin))\.h$};
for my $lane (grep { m{^laws/\w+_lane\.h$} } sort keys %files) {
    my @reached = ($lane);
    my %seen = ($lane => 1);
    while (defined(my $file = shift @reached)) {
        for my $used (grep { !$seen{$_}++ } sort keys %{$uses{$file} // {}}) {
            push @reached, $used;
            next if $used =~ $lane_may;
            print "lane: $lane needs $used (by $file)\n";
            ++$wrong;
        }
    }
}

# ------------------------------------------------------------------ the drawing

sub draw {
    my ($path) = @_;
    my ($width, $left, $step, $line) = (760, 100, 16, 96); # pixels; letters of a line
    my (%top, %bottom, @body);
    my $y = 10;
    my @present = grep { my $l = $_; grep { layer_of($_) eq $l } keys %files } reverse @layers;
    for my $layer (@present) {
        my %unit; # a header and its source are named once
        for my $file (grep { layer_of($_) eq $layer } keys %files) {
            $unit{$file =~ s{^[^/]*/}{}r =~ s/\.\w+$//r} = 1;
        }
        my @lines = ('');
        for my $name (sort keys %unit) {
            push @lines, '' if length("$lines[-1]  $name") > $line;
            $lines[-1] .= ($lines[-1] eq '' ? '' : '  ') . $name;
        }
        my $height = $step * @lines + 14;
        ($top{$layer}, $bottom{$layer}) = ($y, $y + $height);
        push @body, qq{<rect x="10" y="$y" width="$width" height="$height" class="layer"/>},
            sprintf '<text x="20" y="%d" class="name">%s</text>', $y + 20, $layer;
        for my $k (0 .. $#lines) {
            push @body, sprintf '<text x="%d" y="%d" xml:space="preserve">%s</text>', $left,
                $y + 20 + $k * $step, $lines[$k];
        }
        $y += $height + 14;
    }
    my %between; # arrows from layer to layer, with the number of uses
    for my $user (keys %uses) {
        for my $used (keys %{$uses{$user}}) {
            my ($from, $to) = (layer_of($user), layer_of($used));
            ++$between{$from}{$to} if $from ne $to;
        }
    }
    my $column = 10 + $width + 16;
    for my $to (@present) { # a line for each layer that is used, down from its users
        my @from = grep { defined $between{$_} && $between{$_}{$to} } @present;
        next unless @from;
        my $end = int(($top{$to} + $bottom{$to}) / 2);
        my $begin = int(($top{$from[0]} + $bottom{$from[0]}) / 2) + 4;
        push @body, sprintf '<path d="M%d %d V%d H%d" class="arrow"/>', $column, $begin, $end,
            10 + $width + 2;
        for my $from (@from) {
            my $at = int(($top{$from} + $bottom{$from}) / 2) + 4;
            push @body,
                sprintf('<path d="M%d %d H%d" class="line"/>', 10 + $width, $at, $column),
                sprintf('<circle cx="%d" cy="%d" r="2.5">', $column, $at),
                "<title>$from uses $to: $between{$from}{$to} times</title></circle>";
        }
        push @body, sprintf '<text x="%d" y="%d" class="small">%s</text>', $column + 4, $begin - 6,
            $to;
        $column += 48;
    }
    open my $out, '>', $path or die "$path: $!\n";
    my $right = $column + 10;
    print $out qq{<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 $right $y" },
        qq{font-family="sans-serif" font-size="12">\n};
    print $out <<'STYLE', join("\n", @body), "\n</svg>\n";
<!-- Written by `make architecture`. -->
<style>
.layer { fill: #eef3f8; stroke: #5b7a99; }
.name { font-weight: bold; }
.small { font-size: 10px; fill: #5b7a99; }
.line { stroke: #5b7a99; fill: none; }
.arrow { stroke: #5b7a99; fill: none; marker-end: url(#head); }
circle { fill: #5b7a99; }
</style>
<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7"
orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#5b7a99"/></marker></defs>
<rect width="100%" height="100%" fill="white"/>
STYLE
    close $out or die "$path: $!\n";
}
draw($drawing) if defined $drawing;

printf "%d files, %d uses, %d arrows up, circles or lanes that need too much\n", scalar keys %files,
    scalar(map { keys %{$_} } values %uses), $wrong;
exit($wrong != 0);
