import type { JSX } from 'preact'
import { Failed } from '../../look/failure.tsx'
import { changeSettings, failed, type MapLayer, useSettings } from '../owner/farm-settings.ts'
import { say } from './say.ts'

/** Plain paper, or one of the layers that need no typing. */
export function LayerChoice(): JSX.Element {
  const told = useSettings()
  const layers = told?.settings.map_layers ?? []
  const isOn = (layer: MapLayer) => layers.some(({ url }) => url === layer.url)
  const press = (layer: MapLayer) =>
    void changeSettings({
      map_layers: isOn(layer) ? layers.filter(({ url }) => url !== layer.url) : [...layers, layer].slice(-3),
    })
  return (
    <fieldset class="layers">
      <legend>
        <b>{say('setup.layers')}</b>
      </legend>
      <p class="small soft">{say('setup.layers-why')}</p>
      {told === null && failed.value !== null && <Failed failure={failed.value} />}
      {told !== null && (
        <>
          <button
            type="button"
            class="chip"
            aria-pressed={layers.length === 0}
            onClick={() => void changeSettings({ map_layers: [] })}
          >
            {say('setup.layers-none')}
          </button>
          {told.offered_layers.map((layer) => (
            <button key={layer.url} type="button" class="chip" aria-pressed={isOn(layer)} onClick={() => press(layer)}>
              {layer.name}
              <small>{say('setup.layers-from', { host: new URL(layer.url).hostname })}</small>
            </button>
          ))}
        </>
      )}
    </fieldset>
  )
}
