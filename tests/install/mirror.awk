# SPDX-License-Identifier: MIT
# Reads include/dem/dem.f90 and writes a program that prints size and offsets of every struct, and
# the value of every constant, in C for lang=c, in Fortran for lang=f90. Both must print the same.
function shown(label, c, fortran) {
    if (lang == "c")
        printf "    printf(\"%s %%lld\\n\", (long long)(%s));\n", label, c
    else
        printf "    print '(a, 1x, i0)', &\n        '%s', &\n        %s\n", label, fortran
}
{ sub(/!.*/, ""); line = line $0 }
/&[ ]*$/ { sub(/&[ ]*$/, "", line); next } # goes on in the next line
{
    if (line ~ /^ *type, bind\(c\) ::/) {
        type = line
        sub(/.*:: */, "", type)
        types[++count] = type
    } else if (line ~ /^ *end type/) {
        type = ""
    } else if (type != "" || line ~ /, parameter ::/) {
        list = line
        real = line ~ /^ *real\(.*, parameter ::/
        sub(/.*:: */, "", list)
        gsub(/\([^)]*\)|=[^,]*| /, "", list)
        if (real)
            reals[list] # shown in units of 1e-15; one a line
        fields[type] = fields[type] (fields[type] == "" ? "" : ",") list
    }
    line = ""
}
END {
    if (lang == "c") {
        print "#include <dem/dem.h>\n#include <stddef.h>\n#include <stdio.h>"
        print "#define DEM_HEADER_VERSION DEM_VERSION\nint main(void)\n{"
    } else {
        print "program mirror\n    use, intrinsic :: iso_c_binding\n    use dem\n    implicit none"
        for (k = 1; k <= count; ++k)
            printf "    type(%s), target :: x%d\n", types[k], k
    }
    for (k = 1; k <= count; ++k) {
        shown(types[k], "sizeof(" types[k] ")", "c_sizeof(x" k ")")
        n = split(fields[types[k]], field, ",")
        for (m = 1; m <= n; ++m)
            shown(types[k] "." field[m], "offsetof(" types[k] ", " field[m] ")",
                  "at(c_loc(x" k "%" field[m] ")) - at(c_loc(x" k "))")
    }
    n = split(fields[""], field, ",")
    for (m = 1; m <= n; ++m)
        if (field[m] in reals)
            shown(field[m], field[m] " * 1e15", "int(" field[m] " * 1e15_c_double, c_int64_t)")
        else
            shown(field[m], field[m], field[m])
    if (lang == "c")
        print "    return 0;\n}"
    else
        print "contains\n    integer(c_intptr_t) function at(p)\n" \
              "        type(c_ptr), intent(in) :: p\n" \
              "        at = transfer(p, 0_c_intptr_t)\n    end function\nend program"
}
