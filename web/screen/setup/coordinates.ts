/** In degrees. */
interface Place {
  readonly longitude: number
  readonly latitude: number
}

/** "52.0302, 8.5325" or "52,0302; 8,5325", north first, with minus for south and west; null where it is not that. */
export function placeIn(text: string): Place | null {
  const [, north = '', east = ''] =
    /^\s*(-?\d{1,2}(?:\.\d+)?)[\s,;]+(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text) ??
    /^\s*(-?\d{1,2}(?:,\d+)?)[\s;]+(-?\d{1,3}(?:,\d+)?)\s*$/.exec(text) ??
    []
  if (north === '') return null
  const [latitude, longitude] = [Number(north.replace(',', '.')), Number(east.replace(',', '.'))]
  return Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** To a decimetre. */
export const pointOf = ({ longitude, latitude }: Place): string =>
  `POINT (${longitude.toFixed(6)} ${latitude.toFixed(6)})`
