import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { newUuid } from '../../../src/client/changes.ts'
import { areaBundle } from '../../../src/farm/bundle-names.ts'
import { locate, locateState } from '../../forms/nearby.ts'
import { TextField } from '../../forms/text-field.tsx'
import { Failed } from '../../look/failure.tsx'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { offerUndo, toastOnFailure } from '../../look/undo.tsx'
import { areas, me } from '../../store/local-copy.ts'
import { save } from '../../sync/save.ts'
import { say } from '../../words/say.ts'
import {
  changeSettings,
  type LayerSetting,
  parsePlace,
  pointOf,
  settingsFailure,
  useSettings,
} from '../owner/farm-settings.ts'

/** Initial place of the map, and its background. */
export function WhereStep(): JSX.Element {
  return (
    <>
      {areas().length === 0 ? <Place /> : <p role="status">{say('setup.where-known')}</p>}
      <LayerChoice />
      <Link to="/import" class="btn tall fill">
        <Icon name="map" />
        {say('setup.bring')}
      </Link>
      <p class="small soft">{say('setup.bring-hint')}</p>
    </>
  )
}

function Place(): JSX.Element {
  const [typed, setTyped] = useState('')
  const [isWrong, setWrong] = useState(false)
  const state = locateState.value
  const put = async (place: Parameters<typeof pointOf>[0] | null) => {
    if (place === null) return
    const name = me.value?.farm.name ?? ''
    const fields = { name, area_type: 'property', geofield: [{ geom: pointOf(place) }] }
    const saved = await toastOnFailure(
      save([{ verb: 'make', type: 'term', bundle: areaBundle, uuid: newUuid(), fields }]),
    )
    if (saved !== null) offerUndo([saved], say('setup.where-known'))
  }
  const putTyped = () => {
    const place = parsePlace(typed)
    setWrong(place === null)
    void put(place)
  }
  return (
    <>
      <p class="soft">{say('setup.where-why')}</p>
      <button
        type="button"
        class="btn main-do fill"
        disabled={state === 'asking'}
        onClick={async () => put(await locate())}
      >
        <Icon name="locate" />
        {say('setup.where-position')}
      </button>
      <p role="status" class="small">
        {state === 'asking' && say('setup.where-asking')}
        {(state === 'refused' || state === 'missing') && say('setup.where-refused')}
      </p>
      <TextField label={say('setup.where-coordinates')} value={typed} onText={setTyped} />
      {isWrong && (
        <p class="fault" role="alert">
          {say('setup.where-wrong')}
        </p>
      )}
      <button type="button" class="btn tall fill" disabled={typed.trim() === ''} onClick={putTyped}>
        {say('setup.where-do')}
      </button>
    </>
  )
}

/** No background, or a layer that needs no typing. */
function LayerChoice(): JSX.Element {
  const answer = useSettings()
  const layers = answer?.settings.map_layers ?? []
  const isOn = (layer: LayerSetting) => layers.some(({ url }) => url === layer.url)
  const press = (layer: LayerSetting) =>
    void changeSettings({
      map_layers: isOn(layer) ? layers.filter(({ url }) => url !== layer.url) : [...layers, layer].slice(-3),
    })
  return (
    <fieldset class="layers">
      <legend>
        <b>{say('setup.layers')}</b>
      </legend>
      <p class="small soft">{say('setup.layers-why')}</p>
      {answer === null && settingsFailure.value !== null && <Failed failure={settingsFailure.value} />}
      {answer !== null && (
        <>
          <button
            type="button"
            class="chip"
            aria-pressed={layers.length === 0}
            onClick={() => void changeSettings({ map_layers: [] })}
          >
            {say('setup.layers-none')}
          </button>
          {answer.offered_layers.map((layer) => (
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
