"""Programs that look at pictures, sound and documents, and those that shrink them in place."""

from __future__ import annotations

from evaluator.shell.call import Handler
from evaluator.shell.rows.row import row, rows

PROGRAMS: dict[str, Handler] = {
    **rows(
        "pdfinfo pdffonts",
        "media",
        flags="-box -meta -js -struct -struct-text -isodates -rawdates -dests -url -listenc -v -subst",
        valued="-f -l -enc -opw -upw",
        style="single",
    ),
    "mediainfo": row("media", flags="--Full -f --Version", valued="--Output --Inform --Language"),
    "soxi": row("media", flags="-t -r -c -s -d -D -b -B -p -e -a -V"),
    "optipng": row(
        "media",
        does="overwrite",
        targets="operands",
        flags="-o0 -o1 -o2 -o3 -o4 -o5 -o6 -o7 -keep -k -quiet -q -preserve -p -fix -force -strip -v",
        tells="-simulate",
        outputs="-out",
        style="single",
    ),
    "jpegoptim": row(
        "media",
        does="overwrite",
        targets="operands",
        flags="-f -o -p -P -q -s -t -v -b --force --overwrite --preserve --quiet --strip-all --strip-none --totals "
        "--verbose --all-progressive --all-normal",
        valued="-m -S -T --max --size --threshold",
        outputs="-d --dest",
        tells="-n --noaction",
    ),
    "pngquant": row(
        "media",
        does="overwrite",
        targets="operands",
        flags="-f -v -# --force --verbose --skip-if-larger --strip --nofs",
        valued="-s --speed --quality --ext --floyd",
        outputs="-o --output",
    ),
    "rsvg-convert": row(
        "media",
        flags="-a -k --keep-aspect-ratio --keep-image-data --unlimited",
        valued="-w -h -f -z -d -p -x -y -b --width --height --format --zoom --dpi-x --dpi-y --background-color",
        outputs="-o --output",
    ),
    **rows(
        "cwebp dwebp",
        "media",
        flags="-quiet -v -lossless -mt -short -png -ppm",
        valued="-q -z -m -size -psnr -preset -resize -crop -alpha_q -metadata",
        outputs="-o",
        style="single",
    ),
}
