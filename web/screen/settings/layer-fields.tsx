import type { JSX } from 'preact'
import { TextField } from '../../entry/text-field.tsx'
import type { Fault } from '../../store/entry.ts'
import type { MapLayer } from '../owner/farm-settings.ts'
import { Faulty } from './faulty.tsx'
import { say } from './say.ts'

const most = 3
const blank: MapLayer = { name: '', url: '', credit: '', max_zoom: 18 }

interface LayerFieldsProps {
  readonly layers: readonly MapLayer[]
  readonly offered: readonly MapLayer[]
  readonly faults: readonly Fault[]
  readonly onChange: (layers: readonly MapLayer[]) => void
}

export function LayerFields({ layers, offered, faults, onChange }: LayerFieldsProps): JSX.Element {
  const put = (place: number, change: Partial<MapLayer>) =>
    onChange(layers.map((layer, at) => (at === place ? { ...layer, ...change } : layer)))
  return (
    <>
      <p class="small soft">{say('settings.layers-why')}</p>
      {layers.length === 0 && <p>{say('settings.layers-none')}</p>}
      {layers.map((layer, place) => (
        // Two of them may be the same while they are typed.
        <fieldset key={place} class="card setup">
          <legend class="out">{say('settings.layer', { number: place + 1 })}</legend>
          <TextField label={say('settings.layer-name')} value={layer.name} onText={(name) => put(place, { name })} />
          <Faulty faults={faults} field={`map_layers[${place}].name`} />
          <TextField label={say('settings.layer-url')} value={layer.url} onText={(url) => put(place, { url })} />
          <Faulty faults={faults} field={`map_layers[${place}].url`} />
          <TextField
            label={say('settings.layer-credit')}
            value={layer.credit}
            onText={(credit) => put(place, { credit })}
          />
          <Faulty faults={faults} field={`map_layers[${place}].credit`} />
          <TextField
            label={say('settings.layer-zoom')}
            value={String(layer.max_zoom)}
            onText={(zoom) => put(place, { max_zoom: Number(zoom) })}
          />
          <Faulty faults={faults} field={`map_layers[${place}].max_zoom`} />
          <div class="ways">
            <TryLink url={layer.url} />
            <button type="button" class="btn" onClick={() => onChange(layers.filter((_, at) => at !== place))}>
              {say('settings.layer-remove')}
            </button>
          </div>
        </fieldset>
      ))}
      <Faulty faults={faults} field="map_layers" />
      {layers.length < most && (
        <div class="ways">
          {offered
            .filter(({ url }) => !layers.some((layer) => layer.url === url))
            .map((layer) => (
              <button key={layer.url} type="button" class="btn" onClick={() => onChange([...layers, layer])}>
                {say('settings.layer-offered', { name: layer.name })}
              </button>
            ))}
          <button type="button" class="btn" onClick={() => onChange([...layers, blank])}>
            {say('settings.layer-add')}
          </button>
        </div>
      )}
      <p class="small soft">{say('settings.layer-reload')}</p>
    </>
  )
}

/** The browser asks for one tile of the whole earth, in a page of its own: this one may not ask elsewhere. */
function TryLink({ url }: { readonly url: string }): JSX.Element | null {
  if (!/^https?:\/\/[^/]+\/.*\{z\}/.test(url)) return null
  const tile = url.replace(/\{[zxy]\}/g, '0')
  return (
    <a class="btn" href={tile} target="_blank" rel="noopener noreferrer">
      {say('settings.layer-try')}
    </a>
  )
}
