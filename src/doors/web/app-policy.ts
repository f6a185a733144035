import { type MapLayer, originOfLayer } from '../../storage/map-layers.ts'

/** What the page of the app may do: nothing inline, nothing from elsewhere but the tiles of its layers, in nobody's frame. */
export const policyOfApp = (layers: readonly MapLayer[]): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    ["img-src 'self' blob:", ...originsOf(layers)].join(' '),
    "connect-src 'self'",
    "worker-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types furrow',
  ].join('; ')

/** The worker fetches the files of the app, and a worker obeys the policy of its own file. */
export const policyOfWorker = "default-src 'none'; connect-src 'self'; frame-ancestors 'none'"

export const originsOf = (layers: readonly MapLayer[]): readonly string[] => [...new Set(layers.map(originOfLayer))]

/** On a farm that is reached over https a browser would ask nobody over http. */
export const layersFor = (base: string, layers: readonly MapLayer[]): readonly MapLayer[] =>
  layers.filter(({ url }) => url.startsWith('https:') || base.startsWith('http:'))
