import type { JSX } from 'preact'
import { PickRecord } from '../forms/pick-record.tsx'
import { Icon } from '../look/icon.tsx'
import { go, replace, route, withQuery } from '../look/router.ts'
import { noteChoice } from '../store/recent-choices.ts'
import type { LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { AmountDetails, AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { logOf, refTo } from './changes.ts'
import { type EntryDetails, noDetails } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { type ChosenTerm, chosenAreas, chosenAssets, chosenTerm, idsOf } from './entry-subject.ts'
import { logNames, shortList } from './entry-words.ts'
import { photosOf } from './photos.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { PlainSaved } from './saved-card.tsx'
import { Step, useEntryUp, WhichOrNew } from './step.tsx'
import { timeLine, timing } from './timing.tsx'

/** Material, one or several places, amount. */
export function InputEntry(): JSX.Element {
  const { query } = route.value
  const saved = query.get('saved')
  if (saved !== null) return <PlainSaved entry="input" uuid={saved} words={({ name }) => name} />
  const material = chosenTerm('material', 'farm_materials')
  if (material === undefined) return <WhichMaterial />
  const places = [...chosenAreas(), ...chosenAssets()]
  if (places.length === 0 || query.has('places')) return <InputWhere />
  return <InputPage material={material} />
}

function WhichMaterial(): JSX.Element {
  return (
    <WhichOrNew
      entry="input"
      title={say('entry.input.what')}
      of={{ type: 'term', bundles: ['farm_materials'] }}
      used="material"
      parameter="material"
    />
  )
}

function InputWhere(): JSX.Element {
  const chosen = chosenAreas()
  const tick = (area: LocalRecord) => {
    const isChosen = chosen.some(({ id }) => id === area.id)
    const next = isChosen ? chosen.filter(({ id }) => id !== area.id) : [...chosen, area]
    replace(withQuery({ area: idsOf(next), places: '1' }))
  }
  return (
    <Step
      label={say('entry.input')}
      before={withQuery({ material: null, new: null, places: null })}
      title={say('entry.seed.where')}
      second={chosen.length > 0 ? shortList(chosen.map(({ name }) => name)) : undefined}
      foot={
        <button
          type="button"
          class="btn main-do fill"
          disabled={chosen.length === 0}
          onClick={() => go(withQuery({ places: null }))}
        >
          {say('entry.go-on')}
        </button>
      }
    >
      <PickRecord
        of={{ type: 'term', bundles: ['farm_areas'] }}
        used="put on"
        chosen={chosen.map(({ id }) => id)}
        onPick={tick}
      />
    </Step>
  )
}

interface InputDetails extends EntryDetails {
  readonly value: string
  readonly unit: string
}

function InputPage({ material }: { readonly material: ChosenTerm }): JSX.Element {
  useEntryUp(say('entry.input'))
  const [areas, assets] = [chosenAreas(), chosenAssets()]
  const place = shortList([...areas, ...assets].map(({ name }) => name))
  const units = unitsOf('input', material.name)
  const composedName = logNames.input(material.name, place)
  const { state, change, draft } = useEntryDraft<InputDetails>(
    'input',
    { ...noDetails, value: '', unit: units[0] ?? '' },
    ({ name }) => name || composedName,
  )
  const save = async () => {
    const newLog = logOf({
      bundle: 'farm_input',
      name: state.name || composedName,
      timing: timing(),
      assets,
      areas,
      amounts: [state],
      units: unitTerms(),
      note: state.note,
      more: { material: ['id' in material ? { ...refTo(material), name: material.name } : material] },
    })
    const words = say('entry.input.saved', { material: material.name, place })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'input', changes: [newLog], words, photos, draft })) === null) return
    if (state.value !== '') noteChoice(unitsUsed('input', material.name), state.unit)
    showSaved('input', newLog.uuid)
  }
  return (
    <AmountFlow
      entry="input"
      title={composedName}
      subject={
        <EntrySubject
          icon={<Icon name="input" />}
          name={material.name}
          second={place}
          change={withQuery({ places: '1' })}
        />
      }
      amount={state}
      units={units}
      onAmount={change}
      line={<AmountDetails words={timeLine(areas[0])} details={state} composedName={composedName} onDetails={change} />}
      needs="nothing"
      onSave={save}
    />
  )
}
