import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { TextField } from '../../entry/text-field.tsx'
import { hereState, lookWhere } from '../../form/here.ts'
import { Icon } from '../../look/icon.tsx'
import { Link } from '../../look/link.tsx'
import { offerUndo, orTell } from '../../look/undo.tsx'
import { areas, me } from '../../store/copy.ts'
import { newUuid } from '../../store/uuid.ts'
import { save } from '../../sync/save.ts'
import { placeIn, pointOf } from './coordinates.ts'
import { LayerChoice } from './layer-choice.tsx'
import { say } from './say.ts'

/** A place for the map to open at, and what lies under it. */
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
  const state = hereState.value
  const put = async (place: Parameters<typeof pointOf>[0] | null) => {
    if (place === null) return
    const name = me.value?.farm.name ?? ''
    const fields = { name, area_type: 'property', geofield: [{ geom: pointOf(place) }] }
    const saved = await orTell(save([{ verb: 'make', type: 'term', bundle: 'farm_areas', uuid: newUuid(), fields }]))
    if (saved !== null) offerUndo([saved], say('setup.where-known'))
  }
  const putTyped = () => {
    const place = placeIn(typed)
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
        onClick={async () => put(await lookWhere())}
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
