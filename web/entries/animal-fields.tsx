import type { ComponentChildren, JSX } from 'preact'
import { animalBundle, animalTypeBundle, groupBundle } from '../../src/farm/bundle-names.ts'
import { PickRecord } from '../forms/pick-record.tsx'
import { TextField } from '../forms/text-field.tsx'
import { When } from '../forms/time-controls.tsx'
import { wholeIn } from '../forms/typed-number.ts'
import { Chip } from '../look/chip.tsx'
import { shortList } from '../look/names.ts'
import { replace, route, withQuery } from '../look/router.ts'
import { assetBy, assets } from '../store/local-copy.ts'
import { isArchived, type LocalRecord } from '../store/record.ts'
import { say } from '../words/say.ts'
import type { NewStock } from './animal-changes.ts'
import { chosenAreas, chosenAssets, chosenTerm } from './entry-subject.ts'
import { isSaving } from './save-entry.tsx'
import { makeInPlace, PickPlace, Step, StepRow } from './step.tsx'
import { animalsOfTags, type KnownTags, mostTags, tagsIn } from './tags.ts'
import { timing } from './timing.tsx'

/** What a page asks on a page of its own: `?ask=species`. */
type AskedFor = 'species' | 'herd' | 'place' | 'animals'

export const askedFor = (): AskedFor | null => route.value.query.get('ask') as AskedFor | null

export const chosenSpecies = () => chosenTerm('species', animalTypeBundle)

/** The herd of the address. */
export const chosenHerd = (): LocalRecord | undefined => assetBy(route.value.query.get('herd') ?? '')

interface AskRowProps {
  readonly ask: AskedFor
  readonly label: string
  readonly value: string | undefined
}

/** A row that opens the page for its answer. */
export function AskRow({ ask, label, value }: AskRowProps): JSX.Element {
  return <StepRow icon={askIcons[ask]} ask={ask} title={label} second={value ?? say('animals.none')} />
}

const askIcons = { species: 'cow', herd: 'cow', place: 'map', animals: 'plus' } as const

/** The page of one answer; it returns to the entry. */
export function AskStep({ label, ask }: { readonly label: string; readonly ask: AskedFor }): JSX.Element {
  const answer = (query: Readonly<Record<string, string | null>>) => replace(withQuery({ ...query, ask: null }))
  const title = say(`animals.ask.${ask}`)
  const before = withQuery({ ask: null })
  if (ask === 'animals') return <AnimalsStep label={label} title={title} before={before} />
  return (
    <Step label={label} before={before} title={title}>
      {ask === 'species' && (
        <PickRecord
          of={{ type: 'term', bundles: [animalTypeBundle] }}
          onPick={({ id }) => answer({ species: id, new: null })}
          onNew={(name) => answer({ new: name, species: null })}
        />
      )}
      {ask === 'herd' && (
        <PickRecord
          of={{ type: 'asset', bundles: [groupBundle] }}
          used="herd"
          onPick={({ id }) => answer({ herd: id })}
          onNew={async (name) => {
            const made = await makeInPlace({ type: 'asset', bundle: groupBundle, fields: { name } })
            if (made !== undefined) answer({ herd: made.id })
          }}
        />
      )}
      {ask === 'place' && <PickPlace newType="paddock" used="paddock" onPick={({ id }) => answer({ area: id })} />}
    </Step>
  )
}

interface AnimalsStepProps {
  readonly label: string
  readonly title: string
  readonly before?: string
  /** Whether a herd can be chosen as a whole. */
  readonly herds?: 'too'
}

/** Ticks animals; the address holds them. */
export function AnimalsStep({ label, title, before, herds }: AnimalsStepProps): JSX.Element {
  const chosen = chosenAssets()
  const tick = ({ id }: LocalRecord) => {
    const ids = chosen.map((one) => one.id)
    const next = ids.includes(id) ? ids.filter((one) => one !== id) : [...ids, id]
    replace(withQuery({ asset: next.join(','), ask: 'animals' }))
  }
  return (
    <Step
      label={label}
      before={before}
      title={title}
      second={chosen.length > 0 ? shortList(chosen.map(({ name }) => name)) : undefined}
      foot={
        <button
          type="button"
          class="btn main-do fill"
          disabled={chosen.length === 0}
          onClick={() => replace(withQuery({ ask: null }))}
        >
          {say('entry.go-on')}
        </button>
      }
    >
      <PickRecord
        of={{ type: 'asset', bundles: herds === undefined ? [animalBundle] : [groupBundle, animalBundle] }}
        chosen={chosen.map(({ id }) => id)}
        onPick={tick}
        used="animals"
      />
    </Step>
  )
}

/** When it happened; never a plan. */
export function DayField(): JSX.Element {
  const { query } = route.value
  return (
    <div class="labelled">
      <span class="soft small">{say('entry.when')}</span>
      <When
        label={say('entry.when')}
        at={query.has('when') ? timing().at : 'now'}
        onChange={(at) => replace(withQuery({ when: at === null || at === 'now' ? null : String(at) }))}
      />
    </div>
  )
}

export interface StockState {
  /** How the animals are named: by tags, one by one, or only counted. */
  readonly by: 'tags' | 'animals' | 'heads'
  readonly tags: string
  readonly heads: string
  /** Tags of archived animals: the animals come back, or new ones get the tags. */
  readonly archived?: 'back' | 'anew'
}

export const noStock: StockState = { by: 'tags', tags: '', heads: '' }

export interface StockAnswer extends KnownTags {
  readonly fault: string | undefined
  readonly heads: number
  /** Animals to be made; null if all are known. */
  readonly stock: NewStock | null
  /** True as soon as everything is told that saving needs. */
  readonly isReady: boolean
}

const nobody: KnownTags = { known: [], archived: [], fresh: [] }

export function stockIn({ by, tags: typed, heads: number, archived }: StockState, flock: string): StockAnswer {
  const { tags, fault } = by === 'tags' ? tagsIn(typed) : { tags: [], fault: null }
  const all = [...assets.value.values()].filter(
    (asset) => asset.bundle === animalBundle && !(archived === 'anew' && isArchived(asset)),
  )
  const found = tags.length === 0 ? nobody : animalsOfTags(all, tags)
  const heads = by === 'heads' ? Number(wholeIn(number) ?? 0) : 0
  const species = chosenSpecies()
  const isNew = found.fresh.length > 0 || heads > 0
  return {
    ...found,
    known: by === 'animals' ? chosenAssets() : found.known,
    heads,
    fault: faultWords(fault),
    stock: isNew && species !== undefined ? { species, tags: found.fresh, heads, flock } : null,
    isReady: fault === null && (!isNew || species !== undefined),
  }
}

function faultWords(fault: 'backwards' | 'too-many' | null): string | undefined {
  if (fault === null) return undefined
  return fault === 'backwards' ? say('animals.tags.backwards') : say('animals.tags.too-many', { most: mostTags })
}

interface StockFieldsProps {
  readonly ways: readonly StockState['by'][]
  readonly state: StockState
  readonly answer: StockAnswer
  readonly onChange: (part: Partial<StockState>) => void
}

/** Who it is: a range of tags, chosen animals, or a number of heads. */
export function StockFields({ ways, state, answer, onChange }: StockFieldsProps): JSX.Element {
  const isNew = answer.fresh.length > 0 || answer.heads > 0
  return (
    <>
      <div class="words details">
        <div class="options">
          {ways.map((by) => (
            <Chip key={by} pressed={state.by === by} onPress={() => onChange({ by })}>
              {say(`animals.by.${by}`)}
            </Chip>
          ))}
        </div>
        {state.by === 'tags' && (
          <>
            <TextField label={say('animals.tags')} value={state.tags} onText={(tags) => onChange({ tags })} />
            <p class={answer.fault === undefined ? 'out' : 'fault small'} role="status">
              {answer.fault ?? <Found {...answer} />}
            </p>
            <Lists {...answer} />
          </>
        )}
        {state.by === 'heads' && (
          <NumberField label={say('animals.heads')} value={state.heads} onText={(heads) => onChange({ heads })} />
        )}
      </div>
      <ul>
        {state.by === 'animals' && (
          <AskRow
            ask="animals"
            label={say('animals.ask.animals')}
            value={answer.known.length === 0 ? undefined : shortList(answer.known.map(({ name }) => name))}
          />
        )}
        {isNew && <AskRow ask="species" label={say('animals.species')} value={chosenSpecies()?.name} />}
      </ul>
    </>
  )
}

/** "known 38, new 3, archived 1" */
function Found({ known, archived, fresh }: KnownTags): JSX.Element {
  const counts = { known: known.length, new: fresh.length, archived: archived.length }
  const said = (['known', 'new', 'archived'] as const).filter((kind) => counts[kind] > 0)
  return <>{said.map((kind) => say(`animals.found.${kind}`, { number: counts[kind] })).join(', ')}</>
}

function Lists({ known, archived, fresh }: KnownTags): JSX.Element {
  const lists = [
    ['known', known.map(({ name }) => name)],
    ['new', fresh],
    ['archived', archived.map(({ name }) => name)],
  ] as const
  return (
    <div class="options">
      {lists.map(
        ([kind, names]) =>
          names.length > 0 && (
            <details key={kind} class="disclosure">
              <summary>{say(`animals.found.${kind}`, { number: names.length })}</summary>
              <p class="small">{names.join(', ')}</p>
            </details>
          ),
      )}
    </div>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: string
  readonly onText: (typed: string) => void
}

export function NumberField({ label, value, onText }: NumberFieldProps): JSX.Element {
  return (
    <label class="labelled">
      <span class="soft small">{label}</span>
      <span class="field">
        <input
          inputmode="numeric"
          autocomplete="off"
          maxlength={6}
          value={value}
          onInput={({ currentTarget }) => onText(currentTarget.value.replace(/\D/g, ''))}
        />
      </span>
    </label>
  )
}

/** The place of the address: "North 3". */
export const placeWords = (): string | undefined => chosenAreas()[0]?.name

interface SaveButtonProps {
  readonly isReady: boolean
  readonly onSave: () => void
  readonly children: ComponentChildren
}

export function SaveButton({ isReady, onSave, children }: SaveButtonProps): JSX.Element {
  return (
    <button type="button" class="btn main-do fill" disabled={!isReady || isSaving.value} onClick={onSave}>
      {children}
    </button>
  )
}
