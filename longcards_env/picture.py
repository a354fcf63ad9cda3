"""An SVG that notebooks show, files keep and arrays of pixels are made from."""

import os
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path

import numpy as np


@dataclass(frozen=True)
class Picture:
    """A picture; a cell of a notebook that ends in one shows it."""

    svg: str

    def _repr_svg_(self) -> str:
        return self.svg

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the SVG to a file; FileExistsError if there is one of this name."""
        with Path(path).open("x", encoding="utf-8") as file:
            file.write(self.svg)

    def rgb_array(self, width: int) -> np.ndarray:
        """Return the picture as uint8[height, width, 3]; needs the extra `render`."""
        try:
            import resvg_py
            from PIL import Image
        except ImportError as error:
            raise ImportError("pictures as pixels need resvg_py and Pillow: pip install longcards[render]") from error
        png = resvg_py.svg_to_bytes(svg_string=self.svg, width=width)
        with Image.open(BytesIO(bytes(png))) as image:
            return np.array(image.convert("RGB"))
