import { faultOfLine } from '../fields/text.ts'

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

const isLayer = (value: unknown): value is MapLayer => faultsOfLayer(value).length === 0

type UncheckedLayer = { readonly [member in keyof MapLayer]?: unknown }

const members: Readonly<Record<keyof MapLayer, { fits(value: unknown): boolean; readonly allowed: string }>> = {
  name: { fits: (name) => isLine(name) && name.trim() !== '', allowed: 'one line of 1 to 255 characters' },
  url: {
    fits: (url) => typeof url === 'string' && isTileAddress(url),
    allowed: 'an address such as https://tiles.example/{z}/{x}/{y}.jpg, with {z}, {x} and {y} in it',
  },
  credit: { fits: (credit) => isLine(credit), allowed: 'one line of up to 255 characters' },
  max_zoom: {
    fits: (zoom) => Number.isInteger(zoom) && Number(zoom) >= 1 && Number(zoom) <= deepestZoom,
    allowed: `a whole number from 1 to ${deepestZoom}`,
  },
}

function faultsOfLayer(value: unknown): readonly LayerFault[] {
  if (typeof value !== 'object' || value === null) return [{ at: '', message: 'A layer is an object.' }]
  const layer = value as UncheckedLayer
  const wrong = Object.entries(members).filter(([name, { fits }]) => !fits(layer[name as keyof MapLayer]))
  const unknown = Object.keys(layer).filter((name) => !Object.hasOwn(members, name))
  return [
    ...wrong.map(([name, { allowed }]) => ({ at: `.${name}`, message: `It takes ${allowed}.` })),
    ...unknown.map((name) => ({
      at: `.${name}`,
      message: `A layer has ${Object.keys(members).join(', ')}, and no more.`,
    })),
  ]
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

/** The origin of its tiles. */
export const originOfLayer = ({ url }: MapLayer): string => new URL(url).origin

/** Hosts of this machine, of a private network (RFC 1918, 4193, 3927, 6598), or of no public name. */
const inward =
  /^(?:localhost|[^.:]+|.*\.(?:localhost|local|internal|lan|home|home\.arpa)|0\..*|127\..*|10\..*|192\.168\..*|172\.(?:1[6-9]|2\d|3[01])\..*|169\.254\..*|100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|\[(?:::1?|f[cd].*|fe[89ab].*|::ffff:.*)\])\.?$/i

const pointsInwards = (url: string): boolean => inward.test(new URL(url).hostname)

/**
 * The reason why a farm at this address refuses a layer; null if it accepts it. A page on the internet must not make
 * browsers request machines of their own networks.
 */
export function faultOfLayerAt(base: string, { url }: MapLayer): string | null {
  if (url.startsWith('http:') && !base.startsWith('http:'))
    return 'The farm is reached over https, where browsers ask for no tiles over http: use https.'
  if (pointsInwards(url) && !pointsInwards(base))
    return 'The address points into a private network, and the farm is not in one.'
  return null
}

/** Faults of a list of layers, by place: `map_layers[1].url`. Empty if valid. */
export function faultsOfLayers(layers: unknown): readonly LayerFault[] {
  if (!Array.isArray(layers)) return [{ at: '', message: `It takes ${allowedLayers}.` }]
  if (layers.length > mostLayers) return [{ at: '', message: `There may be ${mostLayers} layers, and these are more.` }]
  return layers.flatMap((layer: UncheckedLayer | null, place) =>
    [...faultsOfLayer(layer), ...faultsOfLines(layer)].map(({ at, message }) => ({ at: `[${place}]${at}`, message })),
  )
}

/** Judged only of what is written: a layer that was kept before stays under the map. */
const faultsOfLines = (layer: UncheckedLayer | null): readonly LayerFault[] =>
  (['name', 'credit'] as const).flatMap((member) => {
    const text = layer?.[member]
    const fault = typeof text === 'string' && !/\p{Cc}/u.test(text) ? faultOfLine(text) : null
    return fault === null ? [] : [{ at: `.${member}`, message: `It ${fault}.` }]
  })

interface LayerFault {
  readonly at: string
  readonly message: string
}
