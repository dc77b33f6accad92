#ifndef RENDER_PLOT_SVG_H
#define RENDER_PLOT_SVG_H

#include <stddef.h>

struct buf;
struct plot;

/*
 * The plot of plot-trend.c for the web: one <svg class="plot"> of its own,
 * without script or outside reference.  Every run shows its value on hover
 * (<title>), and the whole has a title and a description for those who
 * cannot see it.  "p" has been measured; "id" makes the element's ids unique
 * on the page.
 */
void plot_svg(struct buf *out, const struct plot *p, size_t id);

/* How plots look, light and dark: to go into the page's <style>. */
extern const char plot_svg_style[];

/* A file of its own: all of "p" below each other. */
void plot_svg_file(struct buf *out, const struct plot *p, size_t n);

#endif
