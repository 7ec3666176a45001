#!/bin/sh
# SPDX-License-Identifier: MIT
# laws.sh WHAT: what follows from laws.def and from the headers that it names, for src/generate.sh.
# What a parameter struct consists of, and a law's name, are read from include/dem/HEADER.h.
#
#     headers          lines of dem.h
#     kinds            enumerators DEM_PARAMETERS_...
#     functions.HEADER defaults and adders of the structs and laws of a header
#     init, model      overloads and members of dem.hpp
#     f90.WHAT         constants, types, interfaces, names and functions of dem.f90
#     exports.RELEASE  lines of libdem.map
#     pages            lines of the main page of the manual
#     lanes            includes of the lane headers
set -eu
cd "$(dirname "$0")/../.."
awk -v what="$1" '
# ---------------------------------------------------------------- the list

/^DEMI_(PARAMETERS|LAW)\(/ {
    line = $0
    gsub(/ /, "", line)
    n = split(line, cell, /[(,)]/)
    if (cell[1] == "DEMI_PARAMETERS") {
        name = structs[++struct_count] = cell[2]
        kind[name] = cell[3]; header_of[name] = cell[4]; release[name] = cell[5]
        if (!(cell[4] in text)) {
            headers[++header_count] = cell[4]
            read_header(cell[4])
        }
    } else {
        laws[++law_count] = cell[2]
        takes[cell[2]] = cell[3]
    }
}

# Text of a header without comments, and the names of laws in it.
function read_header(name,    file, line, all, at, word) {
    file = "include/dem/" name ".h"
    while ((getline line < file) > 0) {
        if (line ~ /^#define DEM_LAW_[A-Z0-9_]* "/) {
            split(line, word, " ")
            label[word[2]] = substr(word[3], 2, length(word[3]) - 2)
        }
        all = all line "\n"
    }
    close(file)
    text[name] = ""
    while ((at = index(all, "/*")) > 0) {
        text[name] = text[name] substr(all, 1, at - 1)
        all = substr(all, at + 2)
        all = substr(all, index(all, "*/") + 2)
    }
    text[name] = text[name] all
}

# ---------------------------------------------------------------- C

# A declaration with two arguments as clang-format breaks it.
function declare(type, name, first, second,    one, pad) {
    one = type " " name "(" first
    if (length(one " " second) <= 99) { print one ", " second ")"; return }
    pad = sprintf("%*s", length(type " " name "("), "")
    if (length(pad second) <= 99) { print one ",\n" pad second ")"; return }
    pad = sprintf("%*s", length(name "("), "")
    print type "\n" name "(" first ",\n" pad second ")"
}
function sized(name,    one) {
    one = "DEM_API dem_status dem_" name "_init_sized(dem_" name " *parameters,"
    if (length(one " uint64_t size);") <= 100) { print one " uint64_t size);"; return }
    print one "\n" sprintf("%*s", index(one, "("), "") "uint64_t size);"
}
# A blank line between two declarations.
function gap() { if (gaps++) print "" }
function functions(header,    k, name) {
    for (k = 1; k <= struct_count; ++k) {
        name = structs[k]
        if (header_of[name] != header) continue
        gap()
        print "/** Fills the defaults for a caller whose struct has `size` bytes. Use dem_" name \
            "_init.\n * @return DEM_OK; DEM_ERROR_ARGUMENT for NULL; DEM_ERROR_STRUCT_SIZE for " \
            "too small a size */"
        sized(name)
        print "\n/** Fills the defaults. */"
        print "static inline dem_status dem_" name "_init(dem_" name " *parameters)\n{"
        print "    return dem_" name "_init_sized(parameters, sizeof(dem_" name "));\n}"
    }
    for (k = 1; k <= law_count; ++k) {
        name = laws[k]
        if (header_of[takes[name]] != header) continue
        gap()
        print "/** Adds DEM_LAW_" toupper(name) " as the next part of a model."
        print " * @param model the model\n * @param parameters must live until the model is set"
        print " * @return as dem_contact_model_add */"
        declare("static inline dem_status", "dem_contact_model_add_" name,
                "dem_contact_model *model", "const dem_" takes[name] " *parameters")
        print "{\n    return dem_contact_model_add(model, DEM_LAW_" toupper(name) \
            ", parameters);\n}"
    }
}
function kinds(    k, left, widest) {
    for (k = 1; k <= struct_count; ++k) {
        left = "    DEM_PARAMETERS_" toupper(structs[k]) " = " kind[structs[k]] ","
        if (length(left) > widest) widest = length(left)
    }
    for (k = 1; k <= struct_count; ++k)
        printf "%-" widest "s /**< dem_%s */\n", \
            "    DEM_PARAMETERS_" toupper(structs[k]) " = " kind[structs[k]] ",", structs[k]
}

# ---------------------------------------------------------------- C++

function init(    k) {
    for (k = 1; k <= struct_count; ++k)
        print "inline dem_status init(dem_" structs[k] " *s)\n{\n    return dem_" structs[k] \
            "_init(s);\n}"
}
function model(    k, name) {
    for (k = 1; k <= law_count; ++k) {
        name = laws[k]
        print "    /** dem_contact_model_add_" name " */"
        print "    contact_model &" name "(const dem_" takes[name] " &p)\n    {"
        print "        return kept(dem_contact_model_add_" name ", p);\n    }"
    }
}

# ---------------------------------------------------------------- Fortran

# Adds a word to a list that is broken into lines of at most 100 columns.
function begin_list(start, pad) { list_line = start; list_pad = pad; list_words = 0 }
function add_word(word) {
    if (list_words++ > 0) list_line = list_line ","
    if (length(list_line " " word) > 97) { print list_line " &"; list_line = list_pad word }
    else list_line = list_line (list_words > 1 || list_line !~ /\[$/ ? " " : "") word
}
function constants(    h, all, n, m, k, entry, word) {
    begin_list("    integer(c_int32_t), parameter ::", "        ")
    for (k = 1; k <= struct_count; ++k)
        add_word("DEM_PARAMETERS_" toupper(structs[k]) " = " kind[structs[k]])
    print list_line
    for (h = 1; h <= header_count; ++h) {
        all = text[headers[h]]
        gsub(/\n/, " ", all)
        while (match(all, /(^|[^a-z_])enum *\{[^}]*\}/)) {
            entry = substr(all, RSTART, RLENGTH)
            all = substr(all, RSTART + RLENGTH)
            sub(/^.*\{/, "", entry); sub(/\}/, "", entry)
            n = split(entry, word, ",")
            begin_list("    integer(c_int32_t), parameter ::", "        ")
            for (m = 1; m <= n; ++m) {
                gsub(/^ +| +$/, "", word[m]); gsub(/ +/, " ", word[m])
                if (word[m] != "") add_word(word[m])
            }
            print list_line
        }
    }
}
function types(    k, name, all, n, m, member, type, fortran, part, previous) {
    fortran["uint64_t"] = "integer(c_int64_t)"
    fortran["int32_t"] = fortran["uint32_t"] = "integer(c_int32_t)"
    fortran["double"] = "real(c_double)"
    for (k = 1; k <= struct_count; ++k) {
        name = structs[k]
        all = text[header_of[name]]
        gsub(/\n/, " ", all)
        if (!match(all, "typedef struct dem_" name " *\\{[^}]*\\}")) {
            print "laws.sh: no struct dem_" name " in " header_of[name] ".h" > "/dev/stderr"
            exit 1
        }
        all = substr(all, RSTART, RLENGTH)
        sub(/^[^{]*\{/, "", all); sub(/\}/, "", all)
        print "    type, bind(c) :: dem_" name
        previous = ""
        n = split(all, member, ";")
        for (m = 1; m <= n; ++m) {
            gsub(/^ +| +$/, "", member[m])
            if (member[m] == "") continue
            split(member[m], part, " ")
            type = fortran[part[1]]
            if (type == "") {
                print "laws.sh: dem_" name " has a member of type " part[1] > "/dev/stderr"
                exit 1
            }
            gsub(/\[/, "(", part[2]); gsub(/\]/, ")", part[2])
            if (type != previous) {
                if (previous != "") print list_line
                begin_list("        " type " ::", "            ")
                previous = type
            }
            add_word(part[2])
        }
        print list_line "\n    end type"
    }
}
function interfaces(    k) {
    for (k = 1; k <= struct_count; ++k) {
        print "        integer(c_int32_t) function dem_" structs[k] \
            "_init_sized(parameters, size) bind(c)\n            import"
        print "            type(dem_" structs[k] "), intent(inout) :: parameters"
        print "            integer(c_int64_t), value :: size\n        end function"
    }
}
function names(    k, m, law) {
    for (k = 1; k <= law_count; ++k) {
        law = label["DEM_LAW_" toupper(laws[k])]
        if (law == "") {
            print "laws.sh: no header defines DEM_LAW_" toupper(laws[k]) > "/dev/stderr"
            exit 1
        }
        print "    character(kind=c_char, len=1), target, save, private :: &"
        print "        name_" laws[k] "(" length(law) + 1 ") = &"
        begin_list("        [", "        ")
        for (m = 1; m <= length(law); ++m) add_word("\047" substr(law, m, 1) "\047")
        add_word("c_null_char")
        print list_line "]"
    }
}
function f90_functions(    k, name, one) {
    for (k = 1; k <= struct_count; ++k) {
        name = structs[k]
        gap()
        print "    integer(c_int32_t) function dem_" name "_init(parameters) result(status)"
        print "        type(dem_" name "), intent(inout) :: parameters"
        print "        status = dem_" name "_init_sized( &"
        print "            parameters, int(c_sizeof(parameters), c_int64_t))\n    end function"
    }
    for (k = 1; k <= law_count; ++k) {
        name = laws[k]
        gap()
        print "    integer(c_int32_t) function dem_contact_model_add_" name "( &"
        print "            model, parameters) result(status)"
        print "        type(dem_contact_model), intent(inout), target :: model"
        print "        type(dem_" takes[name] "), intent(in), target :: parameters"
        print "        status = dem_contact_model_add( &"
        print "            model, dem_law_" name "(), c_loc(parameters))"
        print "    end function"
    }
    for (k = 1; k <= law_count; ++k) {
        name = laws[k]
        gap()
        print "    !> The name DEM_LAW_" toupper(name) ", for dem_contact_part%law."
        print "    type(c_ptr) function dem_law_" name "()"
        print "        dem_law_" name " = c_loc(name_" name ")\n    end function"
    }
}

# ---------------------------------------------------------------- lists

function pages(    h, file, line, title, k, of) {
    for (h = 1; h <= header_count; ++h) {
        file = "docs/" headers[h] ".md"
        if ((getline line < file) <= 0) { print "laws.sh: no page " file > "/dev/stderr"; exit 1 }
        close(file)
        title = line
        sub(/^# */, "", title); sub(/ *\{#.*/, "", title)
        of = ""
        for (k = 1; k <= law_count; ++k)
            if (header_of[takes[laws[k]]] == headers[h])
                of = of (of == "" ? " " : ", ") label["DEM_LAW_" toupper(laws[k])]
        line = "- @subpage " headers[h] " \"" title "\":" of
        while (length(line) > 100) {
            k = 100
            while (substr(line, k, 1) != " ") --k
            print substr(line, 1, k - 1)
            line = "  " substr(line, k + 1)
        }
        print line
    }
}
function exports(since,    k) {
    for (k = 1; k <= struct_count; ++k)
        if (release[structs[k]] == since) print "    dem_" structs[k] "_init_sized;"
}

END {
    if (what == "headers")
        for (k = 1; k <= header_count; ++k) print "#include \"" headers[k] ".h\"" | "sort"
    else if (what == "kinds") kinds()
    else if (what ~ /^functions\./) functions(substr(what, 11))
    else if (what == "init") init()
    else if (what == "model") model()
    else if (what == "f90.constants") constants()
    else if (what == "f90.types") types()
    else if (what == "f90.interfaces") interfaces()
    else if (what == "f90.names") names()
    else if (what == "f90.functions") f90_functions()
    else if (what ~ /^exports\./) exports(substr(what, 9))
    else if (what == "pages") pages()
    else if (what == "lanes")
        while (("ls src/laws/*_lane.h" | getline line) > 0) print "#include \"" substr(line, 5) "\""
    else { print "laws.sh: " what "?" > "/dev/stderr"; exit 1 }
}' src/laws/laws.def
