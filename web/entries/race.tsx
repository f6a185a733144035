import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Figure, NumberPad } from '../forms/number-pad.tsx'
import { PickRecord } from '../forms/pick-record.tsx'
import { Chip } from '../look/chip.tsx'
import { Link } from '../look/link.tsx'
import { Title } from '../look/page.tsx'
import { replace, route, withQuery } from '../look/router.ts'
import { UndoToast } from '../look/undo.tsx'
import { assetBy, assets } from '../store/local-copy.ts'
import { isArchived, type LocalRecord } from '../store/record.ts'
import { membersOf } from '../store/stays.ts'
import { say } from '../words/say.ts'
import { DraftOffer } from './draft.tsx'
import { chosenAssets } from './entry-subject.ts'
import { isSaving, Refusal } from './save-entry.tsx'
import { Step, useEntryUp } from './step.tsx'
import { animalsTagged, isCertain, tagOf } from './tags.ts'

interface RaceProps {
  /** Name of the entry, for its drafts. */
  readonly entry: string
  readonly title: string
  readonly animal: LocalRecord | undefined
  readonly onAnimal: (animal: LocalRecord | undefined) => void
  /** Clears the values typed for this animal. */
  readonly onSkip: () => void
  /** Limits the choice to these animals; absent for any. */
  readonly among?: readonly LocalRecord[] | undefined
  readonly figure: { readonly label: string; readonly value: string; readonly unit: string }
  readonly onValue: (value: string) => void
  /** Facts about the animal, beside its tag. */
  readonly about: ComponentChildren
  /** Line under the figure. */
  readonly hint: ComponentChildren
  /** Controls above the pad. */
  readonly children?: ComponentChildren
  readonly line?: ComponentChildren
  readonly isReady: boolean
  readonly onSave: () => Promise<void>
}

/**
 * Records one animal after the other on one screen: first the tag, then the value. The pad types into the current
 * one.
 */
export function Race(props: RaceProps): JSX.Element {
  const { entry, title, animal, onAnimal, onSkip, figure, onValue, about, hint, children, line, isReady, onSave } =
    props
  const [tag, setTag] = useState('')
  const found = animalsTagged(props.among ?? allAnimals(), tag)
  const choose = (chosen: LocalRecord | undefined) => {
    setTag('')
    onAnimal(chosen)
  }
  const skip = () => {
    onSkip()
    choose(undefined)
  }
  const type = (typed: string) => {
    setTag(typed)
    const [only] = animalsTagged(props.among ?? allAnimals(), typed).exact
    if (isCertain(animalsTagged(props.among ?? allAnimals(), typed)) && only !== undefined) choose(only)
  }
  const submit = async (event: Event) => {
    event.preventDefault()
    if (animal === undefined) return choose(found.exact[0] ?? (found.longer.length === 1 ? found.longer[0] : undefined))
    if (isReady && !isSaving.value) await onSave()
  }
  return (
    <form class="flow race" onSubmit={submit}>
      <Title text={title} class="out" />
      <div class="race-head">
        <TagField
          key={animal?.uuid ?? 'none'}
          animal={animal}
          tag={tag}
          onTag={type}
          onChange={() => choose(undefined)}
        />
        <div>{animal === undefined ? <Candidates {...found} tag={tag} onChoose={choose} /> : about}</div>
      </div>
      <div class="grow">
        <DraftOffer entry={entry} />
        {animal === undefined ? (
          <p class="soft">{say('entry.weigh.type-tag')}</p>
        ) : (
          <>
            <Figure key={animal.uuid} {...figure} onChange={onValue} />
            <p class="small soft">{hint}</p>
          </>
        )}
      </div>
      <UndoToast />
      {children}
      <NumberPad value={animal === undefined ? tag : figure.value} onChange={animal === undefined ? type : onValue} />
      <div class="foot">
        <Refusal />
        {line !== undefined && <div class="line small">{line}</div>}
        <div class="two">
          <button type="button" class="btn tall" onClick={skip}>
            {say('entry.weigh.skip')}
          </button>
          <button
            type="submit"
            class="btn main-do"
            disabled={
              animal === undefined ? found.exact.length + found.longer.length === 0 : !isReady || isSaving.value
            }
          >
            {animal === undefined ? say('entry.go-on') : say('entry.weigh.next')}
          </button>
        </div>
      </div>
    </form>
  )
}

export const allAnimals = (): readonly LocalRecord[] =>
  [...assets.value.values()].filter((asset) => asset.bundle === 'animal' && !isArchived(asset))

interface TagFieldProps {
  readonly animal: LocalRecord | undefined
  readonly tag: string
  readonly onTag: (tag: string) => void
  readonly onChange: () => void
}

function TagField({ animal, tag, onTag, onChange }: TagFieldProps): JSX.Element {
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => input.current?.focus({ preventScroll: true }), [])
  if (animal !== undefined)
    return (
      <button type="button" class="race-tag" onClick={onChange}>
        <span class="small soft">{say('entry.weigh.tag')}</span>
        <b class="h24 num">{tagOf(animal)}</b>
      </button>
    )
  return (
    <label class="race-tag">
      <span class="small soft">{say('entry.weigh.tag-or-name')}</span>
      <input
        ref={input}
        class="h24 num"
        inputmode="none"
        autocomplete="off"
        value={tag}
        onInput={({ currentTarget }) => onTag(currentTarget.value)}
      />
    </label>
  )
}

interface CandidatesProps {
  readonly exact: readonly LocalRecord[]
  readonly longer: readonly LocalRecord[]
  readonly tag: string
  readonly onChoose: (animal: LocalRecord) => void
}

const mostShown = 3

function Candidates({ exact, longer, tag, onChoose }: CandidatesProps): JSX.Element {
  const all = [...exact, ...longer]
  return (
    <div class="options" role="status">
      {all.slice(0, mostShown).map((animal) => (
        <Chip key={animal.uuid} onPress={() => onChoose(animal)}>
          {tagOf(animal) === animal.name ? animal.name : `${tagOf(animal)} ${animal.name}`}
        </Chip>
      ))}
      {all.length === 0 && tag !== '' && <span class="soft">{say('entry.weigh.unknown')}</span>}
      {all.length === 0 && (
        <>
          <Link to={withQuery({ pick: '1' })} class="btn plain small">
            {say('entry.choose')}
          </Link>
          <Link to={withQuery({ herds: '1' })} class="btn plain small">
            {say('animals.whole-herd')}
          </Link>
        </>
      )}
    </div>
  )
}

interface CurrentAnimal {
  /** Label of the strip. */
  readonly label: string
  /** True while the animal is chosen by name. */
  readonly isPicking: boolean
  readonly animal: LocalRecord | undefined
  readonly onAnimal: (animal: LocalRecord | undefined) => void
  /** Animals to choose from; undefined for any. */
  readonly among: readonly LocalRecord[] | undefined
  /** Goes on to the next animal. */
  readonly next: () => void
}

/** The current animal: any, one of a chosen herd, or the one in the address. The strip counts a herd down. */
export function useCurrentAnimal(entry: 'weigh' | 'treat'): CurrentAnimal {
  const chosen = chosenAssets()
  const animals = chosen.flatMap((asset) =>
    asset.bundle === 'group' ? membersOf(asset.id).flatMap((stay) => assetBy(stay.asset) ?? []) : [asset],
  )
  const [typed, setTyped] = useState<string | undefined>(animals.length === 1 ? animals[0]?.uuid : undefined)
  const [done, setDone] = useState<readonly string[]>([])
  const picked = route.value.query.get('animal')
  const animal = assetBy(picked ?? typed ?? '')
  const onAnimal = (chosen: LocalRecord | undefined) => {
    replace(withQuery({ animal: chosen?.id ?? null }))
    setTyped(chosen?.uuid)
  }
  const [count, number] = [animals.length, Math.min(done.length + 1, animals.length)]
  const label = count > 1 ? say(`entry.${entry}.progress`, { number, count }) : say(`entry.${entry}`)
  const isPicking = route.value.query.has('pick')
  useEntryUp(label, isPicking ? afterPicking() : undefined)
  return {
    label,
    isPicking,
    animal,
    onAnimal,
    among: count > 1 ? animals.filter(({ uuid }) => !done.includes(uuid)) : undefined,
    next: () => {
      if (animal !== undefined) setDone([...done, animal.uuid])
      onAnimal(undefined)
    },
  }
}

const afterPicking = (): string => withQuery({ pick: null })

/** Chooses an animal without a tag by name. */
export function PickAnimal({ label }: { readonly label: string }): JSX.Element {
  return (
    <Step label={label} before={afterPicking()} title={say('entry.weigh.which')}>
      <PickRecord
        of={{ type: 'asset', bundles: ['animal'] }}
        used="weighed"
        onPick={({ id }) => replace(withQuery({ animal: id, pick: null }))}
      />
    </Step>
  )
}
