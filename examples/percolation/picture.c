/* SPDX-License-Identifier: MIT */
/* A picture like the paper's Fig. 14: the bed from the side, pale, and the fines in it. */
#include "percolation.h"

#include <math.h>

enum { TITLE = 44, MARGIN = 12 };

/* Pixels of a radius of the bed: the panels stay about 480 high. */
static double scale_of(const bed *b)
{
    return 480.0 / (b->side[2] / b->radius + 4.0) / b->radius;
}

static double wrapped(double x, double side)
{
    return x - side * floor(x / side);
}

/* Spheres stick out of the box by a radius at most, so the panels are that much wider. No opacity
 * and no clipping: simple viewers draw it too. */
static void bed_draw(FILE *out, const bed *b, double scale, double height)
{
    fprintf(out, "<g id=\"bed\" fill=\"#f1f3f5\" stroke=\"#ced5dc\" stroke-width=\"0.5\">\n");
    for (int k = 0; k < b->count; ++k)
        fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%.1f\"/>\n",
                scale * (b->centre[3 * k] + b->radius),
                height - scale * (b->centre[3 * k + 2] + 2.0 * b->radius), scale * b->radius);
    fprintf(out, "</g>\n");
}

/* Fines of one scheme at one look; returns how many are in the bed still. */
static int fines_draw(FILE *out, const percolation *p, int look, double scale, double height)
{
    const bed *b = p->setup.bed;
    int inside = 0;
    for (int pass = 0; pass < 2; ++pass) { /* the trapped ones on top */
        fprintf(out, "<g fill=\"%s\">\n", pass ? "#d55e00" : "#0072b2");
        for (int k = 0; k < p->count; ++k) {
            const fall_result *r = &p->result[k];
            const double *x = r->look[look];
            const double after = look + 1 == FALL_LOOKS ? p->setup.end : p->setup.look[look];
            if (r->trapped != pass || r->time < after - p->setup.dt)
                continue;
            fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n",
                    scale * (wrapped(x[0], b->side[0]) + b->radius),
                    height - scale * (x[2] + 2.0 * b->radius));
            inside += 1;
        }
        fprintf(out, "</g>\n");
    }
    return inside;
}

int percolation_picture(const char *folder, const char *name, const percolation *set,
                        int first_look)
{
    const bed *b = set[0].setup.bed;
    const int looks = FALL_LOOKS - first_look, panels = looks * PERCOLATION_SCHEMES;
    const double scale = scale_of(b), width = scale * (b->side[0] + 2.0 * b->radius);
    const double height = scale * (b->side[2] + 4.0 * b->radius);
    demo_file file;
    if (demo_file_open(&file, folder, name) != 0)
        return -1;
    FILE *out = file.stream;
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" "
            "width=\"%.0f\" height=\"%.0f\" font-family=\"Helvetica,Arial,sans-serif\" "
            "font-size=\"11\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n<defs>\n",
            panels * (width + MARGIN) + MARGIN, height + TITLE + MARGIN);
    bed_draw(out, b, scale, height);
    fprintf(out, "</defs>\n");
    for (int panel = 0; panel < panels; ++panel) {
        const int k = panel / looks, look = first_look + panel % looks;
        const double left = MARGIN + panel * (width + MARGIN);
        if (look == first_look)
            fprintf(out,
                    "<text x=\"%.1f\" y=\"16\" font-weight=\"bold\">%s: %d of %d trapped</text>\n",
                    left, percolation_name[k], percolation_trapped(&set[k]), set[k].count);
        fprintf(out, "<g transform=\"translate(%.1f %d)\"><use href=\"#bed\"/>\n", left, TITLE);
        const int inside = fines_draw(out, &set[k], look, scale, height);
        fprintf(out,
                "<rect width=\"%.1f\" height=\"%.1f\" fill=\"none\" stroke=\"#888\"/>"
                "<text y=\"-8\">%.2g s: %d in the bed</text></g>\n",
                width, height, set[k].setup.look[look], inside);
    }
    fprintf(out, "</svg>\n");
    return demo_file_close(&file);
}
