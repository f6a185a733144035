import type { JSX } from 'preact'
import { PickRecord } from '../forms/pick-record.tsx'
import { Chip } from '../look/chip.tsx'
import { shortList } from '../look/names.ts'
import { go, replace, route, withQuery } from '../look/router.ts'
import { say } from '../words/say.ts'
import { logOf } from './changes.ts'
import { type EntryDetails, noDetails, photosOf } from './details.tsx'
import { DraftOffer, useEntryDraft } from './draft.tsx'
import { chosenAreas, chosenAssets } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { PlainSaved } from './saved-card.tsx'
import { makeInPlace, NoteFlow, PickPlace, Step } from './step.tsx'
import { isPlan, timing } from './timing.tsx'

/** Maintenance of a tool, a machine, or a place with a fence. */
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
        <PickPlace newType="other" used="mended place" onPick={({ id }) => go(withQuery({ area: id, of: null }))} />
      ) : (
        <PickRecord
          of={{ type: 'asset', bundles: ['equipment', 'sensor', 'compost', 'product'] }}
          used="mended"
          onPick={({ id }) => go(withQuery({ asset: id }))}
          onNew={makeEquipment}
        />
      )}
    </Step>
  )
}

async function makeEquipment(name: string): Promise<void> {
  const made = await makeInPlace({ type: 'asset', bundle: 'equipment', fields: { name } })
  if (made !== undefined) go(withQuery({ asset: made.id }))
}

function MaintainPage(): JSX.Element {
  const [assets, areas] = [chosenAssets(), chosenAreas()]
  const what = shortList([...assets, ...areas].map(({ name }) => name))
  const nameOf = ({ name, note }: EntryDetails) => name || logNames.maintain(note, what)
  const { state, change, draft } = useEntryDraft<EntryDetails>('maintain', noDetails, nameOf)
  const composedName = logNames.maintain(state.note, what)
  const save = async () => {
    const name = nameOf(state)
    const newLog = logOf({ bundle: 'farm_maintenance', name, timing: timing(), assets, areas, note: state.note })
    const words = say('entry.maintain.saved', { name })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'maintain', changes: [newLog], words, photos, draft })) === null) return
    showSaved('maintain', newLog.uuid)
  }
  return (
    <NoteFlow
      entry="maintain"
      label={say('entry.maintain')}
      title={what}
      question={say(isPlan() ? 'entry.maintain.plan' : 'entry.maintain.note')}
      details={state}
      composedName={composedName}
      onDetails={change}
      isReady
      onSave={save}
    />
  )
}
