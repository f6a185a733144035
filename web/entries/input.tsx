import type { JSX } from 'preact'
import { PickRecord } from '../forms/pick-record.tsx'
import { Chip } from '../look/chip.tsx'
import { Icon } from '../look/icon.tsx'
import { shortList } from '../look/names.ts'
import { go, replace, route, withQuery } from '../look/router.ts'
import { useLogs } from '../look/use-logs.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, isGroup, type LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import { pastAmounts } from './amount.ts'
import { AmountDetails, AmountFlow, EntrySubject, unitsOf, unitsUsed, unitTerms } from './amount-flow.tsx'
import { logOf, refTo } from './changes.ts'
import { type EntryDetails, noDetails, photosOf } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { type ChosenTerm, chosenAreas, chosenAssets, chosenTerm, idsOf } from './entry-subject.ts'
import { logNames } from './entry-words.ts'
import { saveEntry, showSaved } from './save-entry.tsx'
import { PlainSaved } from './saved-card.tsx'
import {
  askAboutMembers,
  herdShare,
  isLeavingOut,
  LeaveOut,
  LeaveOutRow,
  PickPlace,
  Step,
  useEntryUp,
  WhichOrNew,
} from './step.tsx'
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
  if (isLeavingOut()) return <LeaveOut label={say('entry.input')} share={herdShare(chosenAssets())} />
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

/** Places, or animals for feed and minerals. */
function InputWhere(): JSX.Element {
  const isOfAnimals = route.value.query.get('of') === 'animals'
  const all = [...chosenAreas(), ...chosenAssets()]
  const chosen = isOfAnimals ? chosenAssets() : chosenAreas()
  const tick = (record: LocalRecord) => {
    const isChosen = chosen.some(({ id }) => id === record.id)
    const next = isChosen ? chosen.filter(({ id }) => id !== record.id) : [...chosen, record]
    replace(withQuery({ [isOfAnimals ? 'asset' : 'area']: idsOf(next), places: '1' }))
  }
  const picker = { chosen: chosen.map(({ id }) => id), onPick: tick }
  return (
    <Step
      label={say('entry.input')}
      before={withQuery({ material: null, new: null, places: null, of: null })}
      title={say(isOfAnimals ? 'entry.input.who' : 'entry.seed.where')}
      second={all.length > 0 ? shortList(all.map(({ name }) => name)) : undefined}
      foot={
        <button
          type="button"
          class="btn main-do fill"
          disabled={all.length === 0}
          onClick={() => go(withQuery({ places: null, of: null }))}
        >
          {say('entry.go-on')}
        </button>
      }
    >
      <div class="words options">
        <Chip pressed={!isOfAnimals} onPress={() => replace(withQuery({ of: null }))}>
          {say('entry.input.places')}
        </Chip>
        <Chip pressed={isOfAnimals} onPress={() => replace(withQuery({ of: 'animals' }))}>
          {say('entry.input.animals')}
        </Chip>
      </div>
      {isOfAnimals ? (
        <PickRecord {...picker} of={{ type: 'asset', bundles: ['group', 'animal'] }} used="fed" />
      ) : (
        <PickPlace {...picker} newType="field" used="put on" />
      )}
    </Step>
  )
}

interface InputDetails extends EntryDetails {
  readonly value: string
  readonly unit: string
}

function InputPage({ material }: { readonly material: ChosenTerm }): JSX.Element {
  useEntryUp(say('entry.input'))
  const [areas, chosen] = [chosenAreas(), chosenAssets()]
  const place = shortList([...areas, ...chosen].map(({ name }) => name))
  const share = herdShare(chosen)
  const inputs = useLogs({ bundles: ['farm_input'], done: true, limit: 500 }) ?? []
  const isSame = (log: LocalRecord) => 'id' in material && idsIn(log.fields.material).includes(material.id)
  const past = pastAmounts(inputs.filter(isSame))
  const units = unitsOf('input', material.name, past)
  const composedName = logNames.input(material.name, place)
  const { state, change, draft } = useEntryDraft<InputDetails>(
    'input',
    { ...noDetails, value: '', unit: '' },
    ({ name }) => name || composedName,
  )
  const amount = { value: state.value, unit: state.unit || (units[0] ?? '') }
  const save = async () => {
    const newLog = logOf({
      bundle: 'farm_input',
      name: state.name || composedName,
      timing: timing(),
      assets: [...chosen.filter(isGroup), ...share.taking],
      areas,
      amounts: [amount],
      units: unitTerms(),
      note: state.note,
      more: { material: ['id' in material ? { ...refTo(material), name: material.name } : material] },
    })
    const words = say(areas.length === 0 ? 'entry.input.given' : 'entry.input.saved', {
      material: material.name,
      place,
    })
    const photos = photosOf(newLog.uuid, state.photos)
    if ((await saveEntry({ entry: 'input', changes: [newLog], words, photos, draft })) === null) return
    if (state.value !== '') noteChoice(unitsUsed('input', material.name), amount.unit)
    await askAboutMembers(newLog.uuid, chosen)
    showSaved('input', newLog.uuid)
  }
  return (
    <AmountFlow
      entry="input"
      title={composedName}
      subject={
        <>
          <EntrySubject
            icon={<Icon name="input" />}
            name={material.name}
            second={place}
            change={withQuery({ places: '1' })}
          />
          <LeaveOutRow share={share} />
        </>
      }
      amount={amount}
      units={units}
      past={past}
      onAmount={(part) => change({ unit: amount.unit, ...part })}
      line={
        <AmountDetails
          words={timeLine(areas[0])}
          details={{ ...state, ...amount }}
          composedName={composedName}
          onDetails={change}
        />
      }
      needs="nothing"
      onSave={save}
    />
  )
}
