/** A picture of the ground that is drawn in tiles from elsewhere. */
export interface MapLayer {
  readonly name: string
  /** With `{z}`, `{x}` and `{y}` in it. */
  readonly url: string
  readonly credit: string
  readonly max_zoom: number
}

const mostLayers = 3
const deepestZoom = 24

export const allowedLayers = `a JSON list of at most ${mostLayers} layers such as {"name": "Aerial", "url": "https://tiles.example/{z}/{x}/{y}.jpg", "credit": "© Example", "max_zoom": 18}`

/** The layers that a setting tells of, or null where it is not one. */
export function layersIn(setting: string): readonly MapLayer[] | null {
  if (setting === '') return []
  const layers = parsed(setting)
  return Array.isArray(layers) && layers.length <= mostLayers && layers.every(isLayer) ? layers : null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isLayer(value: unknown): value is MapLayer {
  if (typeof value !== 'object' || value === null) return false
  const { name, url, credit, max_zoom, ...others } = value as { readonly [member in keyof MapLayer]?: unknown }
  return (
    isLine(name) &&
    name.trim() !== '' &&
    isLine(credit) &&
    typeof url === 'string' &&
    isTileAddress(url) &&
    Number.isInteger(max_zoom) &&
    Number(max_zoom) >= 1 &&
    Number(max_zoom) <= deepestZoom &&
    Object.keys(others).length === 0
  )
}

const isLine = (value: unknown): value is string =>
  typeof value === 'string' && value.length <= 255 && !/\p{Cc}/u.test(value)

/** A plain host says all of who is asked: nothing of it is filled in. */
function isTileAddress(url: string): boolean {
  if (url.length > 1000 || !/^https?:\/\/[a-z0-9.:[\]-]+\/[\x21-\x7e]*$/i.test(url)) return false
  if (!['{x}', '{y}', '{z}'].every((place) => url.includes(place)) || !URL.canParse(url)) return false
  const { username, password } = new URL(url)
  return username === '' && password === ''
}

/** Who is asked for its tiles. */
export const originOfLayer = ({ url }: MapLayer): string => new URL(url).origin
