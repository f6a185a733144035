import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { animalBundle } from '../../src/farm/bundle-names.ts'
import { PickRecord } from '../forms/pick-record.tsx'
import { TextField } from '../forms/text-field.tsx'
import { secondsOf, When } from '../forms/time-controls.tsx'
import { wholeIn } from '../forms/typed-number.ts'
import { Chip } from '../look/chip.tsx'
import { Link } from '../look/link.tsx'
import { choiceLabel } from '../look/names.ts'
import { go, route, withQuery } from '../look/router.ts'
import { UndoToast } from '../look/undo.tsx'
import { termBy } from '../store/local-copy.ts'
import { noteChoice } from '../store/recent-choices.ts'
import { idsIn, type LocalRecord } from '../store/record.ts'
import { countedHeads } from '../store/stays.ts'
import { now } from '../words/format.ts'
import { say } from '../words/say.ts'
import { animalOf, birthOf, joiningOf } from './animal-changes.ts'
import {
  AskRow,
  AskStep,
  askedFor,
  chosenHerd,
  chosenSpecies,
  DayField,
  NumberField,
  SaveButton,
} from './animal-fields.tsx'
import { type EntryDetails, NoteField, noDetails } from './details.tsx'
import { useEntryDraft } from './draft.tsx'
import { chosenAssets } from './entry-subject.ts'
import { allAnimals } from './race.tsx'
import { isSaving, saveEntry, showSaved } from './save-entry.tsx'
import { SavedCard } from './saved-card.tsx'
import { leaveEntry, Step } from './step.tsx'
import { animalsOfTags } from './tags.ts'
import { timing } from './timing.tsx'

interface AnimalState extends EntryDetails {
  readonly tag: string
  readonly sex: string
  readonly born: number | 'now' | null
}

const nobody: AnimalState = { ...noDetails, tag: '', sex: '', born: null }

/** Animals one after the other: tag, sex, birth, breed; breed and herd stay for the next. */
export function NewAnimalsEntry(): JSX.Element {
  const label = say('animals.new')
  const { state, change, goOn, draft } = useEntryDraft<AnimalState>('animals/new', nobody, ({ tag }) => tag)
  const [count, setCount] = useState(0)
  const ask = askedFor()
  if (ask !== null) return <AskStep label={label} ask={ask} />
  const [species, herd] = [chosenSpecies(), chosenHerd()]
  const tag = state.tag.trim()
  const name = state.name.trim() || tag
  const { known, archived } = animalsOfTags(allAnimals(), tag === '' ? [] : [tag])
  const [taken] = [...known, ...archived]
  const save = async () => {
    if (species === undefined) return
    const born = state.born === null ? {} : { date: String(secondsOf(state.born, now())) }
    const animal = animalOf({ name, tag, species, more: { ...born, ...(state.sex && { animal_sex: state.sex }) } })
    const member = { id: animal.uuid, uuid: animal.uuid }
    const words = say('animals.saved-new', { name })
    const into = say('animals.joined', { name, herd: herd?.name ?? '' }).slice(0, 255)
    const joining =
      herd === undefined ? [] : joiningOf({ herd, members: [member], others: 'kept', name: into, timing: timing() })
    if ((await saveEntry({ changes: [animal, ...joining], words, draft })) === null) return
    if (herd !== undefined) noteChoice('herd', herd.id)
    setCount(count + 1)
    goOn({ ...nobody, sex: state.sex, born: state.born })
  }
  return (
    <Step
      label={label}
      title={say('animals.new')}
      second={count === 0 ? undefined : say('animals.entered', { count })}
      foot={
        <>
          <UndoToast />
          <div class="two">
            <button type="button" class="btn tall" onClick={leaveEntry}>
              {say('entry.finish')}
            </button>
            <button
              type="button"
              class="btn main-do"
              disabled={name === '' || species === undefined || isSaving.value}
              onClick={save}
            >
              {say('entry.weigh.next')}
            </button>
          </div>
        </>
      }
    >
      <div class="words details" key={count}>
        <TextField label={say('animals.tag')} value={state.tag} onText={(typed) => change({ tag: typed })} />
        {taken !== undefined && (
          <p class="small late" role="status">
            {say('animals.tag-taken', { name: taken.name })}
          </p>
        )}
        <SexChips sex={state.sex} onSex={(sex) => change({ sex })} />
        <div class="labelled">
          <span class="soft small">{say('animals.birth')}</span>
          <When of="day" label={say('animals.birth')} at={state.born} onChange={(born) => change({ born })} />
        </div>
      </div>
      <ul>
        <AskRow ask="species" label={say('animals.species')} value={species?.name} />
        <AskRow ask="herd" label={say('animals.herd')} value={herd?.name} />
      </ul>
      <div class="words details">
        <TextField label={say('animals.name')} value={state.name} onText={(typed) => change({ name: typed })} />
        <Link to="/add/asset/animal" class="btn plain">
          {say('animals.all-fields')}
        </Link>
      </div>
    </Step>
  )
}

interface YoungState {
  readonly tag: string
  readonly sex: string
}

interface BirthState extends EntryDetails {
  readonly young: readonly YoungState[]
  readonly stillborn: number
  /** How many, of a flock. */
  readonly heads: string
}

const one: YoungState = { tag: '', sex: '' }

/** A birth: the mother, or a flock that is counted; then the young. */
export function BornEntry(): JSX.Element {
  const label = say('entry.born')
  const saved = route.value.query.get('saved')
  const begun: BirthState = { ...noDetails, young: [one], stillborn: 0, heads: '1' }
  const { state, change, draft } = useEntryDraft<BirthState>('animals/born', begun, () => label)
  const [mother] = chosenAssets().filter(({ bundle }) => bundle === animalBundle)
  if (saved !== null) return <SavedCard label={label} uuid={saved} words={({ name }) => name} />
  if (mother === undefined)
    return (
      <Step label={label} title={say('animals.who.born')}>
        <PickRecord
          of={{ type: 'asset', bundles: [animalBundle] }}
          among={({ fields }) => fields.animal_sex !== 'M'}
          used="mother"
          onPick={({ id }) => go(withQuery({ asset: id }))}
        />
      </Step>
    )
  const isFlock = countedHeads(mother) !== undefined
  const count = isFlock ? Number(wholeIn(state.heads) ?? 0) : state.young.length
  const composed = say('animals.name.born', { who: mother.name, number: count })
  const save = async () => {
    const stillborn = state.stillborn === 0 ? '' : say('animals.stillborn-note', { number: state.stillborn })
    const note = [state.note.trim(), stillborn].filter((line) => line !== '').join('\n')
    const young = isFlock ? Array.from({ length: count }, () => one) : state.young
    const named = young.map(({ tag, sex }, at) => ({ tag: tag.trim(), sex, name: tag.trim() || youngName(mother, at) }))
    const name = composed.slice(0, 255)
    const changes = birthOf({ mother, young: named, species: speciesOf(mother), name, timing: timing(), note })
    if ((await saveEntry({ entry: 'born', changes, words: composed, draft })) !== null)
      showSaved('animals/born', changes.at(-1)?.uuid ?? '')
  }
  const put = (at: number, part: Partial<YoungState>) =>
    change({ young: state.young.map((known, index) => (index === at ? { ...known, ...part } : known)) })
  return (
    <Step
      label={label}
      before={withQuery({ asset: null })}
      title={composed}
      foot={
        <SaveButton isReady={count + state.stillborn > 0} onSave={save}>
          {say('animals.save', { what: label, number: count })}
        </SaveButton>
      }
    >
      <div class="words details">
        {isFlock ? (
          <NumberField label={say('animals.heads')} value={state.heads} onText={(heads) => change({ heads })} />
        ) : (
          <Numbers
            label={say('animals.alive')}
            most={4}
            chosen={count}
            onChoose={(number) => change({ young: Array.from({ length: number }, (_, at) => state.young[at] ?? one) })}
          />
        )}
        {!isFlock &&
          state.young.map((young, at) => (
            <div key={at} class="details">
              <TextField
                label={say('animals.tag-of', { number: at + 1 })}
                value={young.tag}
                onText={(tag) => put(at, { tag })}
              />
              <SexChips sex={young.sex} onSex={(sex) => put(at, { sex })} />
            </div>
          ))}
        <Numbers
          label={say('animals.stillborn')}
          most={2}
          chosen={state.stillborn}
          onChoose={(stillborn) => change({ stillborn })}
        />
        <DayField />
        <NoteField details={state} onDetails={change} />
      </div>
    </Step>
  )
}

const youngName = ({ name }: LocalRecord, at: number): string =>
  say('animals.young-of', { mother: name, number: at + 1 }).slice(0, 255)

function speciesOf({ fields }: LocalRecord) {
  const [species] = idsIn(fields.animal_type).flatMap((id) => termBy(id) ?? [])
  return species ?? { name: say('animals.unknown-species') }
}

interface SexChipsProps {
  readonly sex: string
  readonly onSex: (sex: string) => void
}

function SexChips({ sex, onSex }: SexChipsProps): JSX.Element {
  return (
    <div class="options">
      {['F', 'M'].map((known) => (
        <Chip key={known} pressed={sex === known} onPress={() => onSex(sex === known ? '' : known)}>
          {choiceLabel('sexes', known)}
        </Chip>
      ))}
    </div>
  )
}

interface NumbersProps {
  readonly label: string
  readonly most: number
  readonly chosen: number
  readonly onChoose: (number: number) => void
}

function Numbers({ label, most, chosen, onChoose }: NumbersProps): JSX.Element {
  return (
    <div class="labelled">
      <span class="soft small">{label}</span>
      <div class="options">
        {Array.from({ length: most + 1 }, (_, number) => (
          <Chip key={number} label={`${label}: ${number}`} pressed={chosen === number} onPress={() => onChoose(number)}>
            {String(number)}
          </Chip>
        ))}
      </div>
    </div>
  )
}
