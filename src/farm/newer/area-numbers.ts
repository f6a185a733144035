/** In the newer generation areas are assets, and have their numbers from here on: an asset of its own has a lower one. */
export const areaNumbers = 1_000_000_000
