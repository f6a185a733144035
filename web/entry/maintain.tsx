import type { JSX } from 'preact'
import { PickRecord } from '../form/pick-record.tsx'
import { Chip } from '../look/chip.tsx'
import { go, replace, route, withQuery } from '../look/router.ts'
import { logOf } from './changes.ts'
import { chosenAreas, chosenAssets } from './chosen.ts'
import { nothingSaid, type Said } from './details.tsx'
import { useDraft } from './draft.ts'
import { DraftOffer } from './draft-offer.tsx'
import { composed, listed } from './names.ts'
import { NoteFlow } from './note-flow.tsx'
import { photosOf } from './photos.ts'
import { PlainSaved } from './plain-saved.tsx'
import { keepEntry, showSaved } from './save-entry.ts'
import { say } from './say.ts'
import { Step } from './step.tsx'
import { isPlan, timing } from './timing.tsx'

/** A tool, a machine, or a place with a fence. */
export function MaintainEntry(): JSX.Element {
  const saved = route.value.query.get('saved')
  if (saved !== null)
    return <PlainSaved entry="maintain" uuid={saved} words={({ name }) => say('entry.maintain.saved', { name })} />
  return chosenAssets().length + chosenAreas().length === 0 ? <MaintainWhat /> : <MaintainPage />
}

function MaintainWhat(): JSX.Element {
  const isPlace = route.value.query.get('of') === 'areas'
  return (
    <Step label={say('entry.maintain')} title={say('entry.maintain.what')}>
      <div class="words options">
        <Chip pressed={!isPlace} onPress={() => replace(withQuery({ of: null }))}>
          {say('entry.maintain.thing')}
        </Chip>
        <Chip pressed={isPlace} onPress={() => replace(withQuery({ of: 'areas' }))}>
          {say('entry.maintain.place')}
        </Chip>
      </div>
      <DraftOffer entry="maintain" />
      {isPlace ? (
        <PickRecord
          of={{ type: 'term', bundles: ['farm_areas'] }}
          used="mended place"
          onPick={({ id }) => go(withQuery({ area: id, of: null }))}
        />
      ) : (
        <PickRecord
          of={{ type: 'asset', bundles: ['equipment', 'sensor', 'compost', 'product'] }}
          used="mended"
          onPick={({ id }) => go(withQuery({ asset: id }))}
        />
      )}
    </Step>
  )
}

function MaintainPage(): JSX.Element {
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  const what = listed([...assets, ...areas].map(({ name }) => name))
  const nameOf = ({ name, note }: Said) => name || composed.maintain(note, what)
  const { state, change, draft } = useDraft<Said>('maintain', nothingSaid, nameOf)
  const composedName = composed.maintain(state.note, what)
  const save = async () => {
    const name = nameOf(state)
    const made = logOf({ bundle: 'farm_maintenance', name, timing: timing(), assets, areas, note: state.note })
    const words = say('entry.maintain.saved', { name })
    const photos = photosOf(made.uuid, state.photos)
    if ((await keepEntry({ entry: 'maintain', changes: [made], words, photos, draft })) === null) return
    showSaved('maintain', made.uuid)
  }
  return (
    <NoteFlow
      entry="maintain"
      label={say('entry.maintain')}
      title={what}
      question={say(isPlan() ? 'entry.maintain.plan' : 'entry.maintain.note')}
      said={state}
      composedName={composedName}
      onSay={change}
      isReady
      onSave={save}
    />
  )
}
