import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { newUuid } from '../../../src/client/changes.ts'
import {
  animalTypeBundle,
  cropBundle,
  logCategoryBundle,
  materialBundle,
  unitBundle,
} from '../../../src/farm/bundle-names.ts'
import { languages } from '../../../src/words/languages.ts'
import de from '../../../src/words/starters/de.json' with { type: 'json' }
import en from '../../../src/words/starters/en.json' with { type: 'json' }
import es from '../../../src/words/starters/es.json' with { type: 'json' }
import { Chip } from '../../look/chip.tsx'
import { Icon, type IconName } from '../../look/icon.tsx'
import { go } from '../../look/router.ts'
import { offerUndo, toastOnFailure } from '../../look/undo.tsx'
import { me, terms } from '../../store/local-copy.ts'
import type { LocalChange } from '../../store/outbox-entry.ts'
import type { LocalRecord } from '../../store/record.ts'
import { save } from '../../sync/save.ts'
import { usable } from '../../sync/status.ts'
import { say } from '../../words/say.ts'
import { actionClass, nextAfter } from './steps.ts'

const icons: Readonly<Record<Exclude<FarmBranch, 'bees'>, IconName>> = {
  vegetables: 'carrot',
  livestock: 'cow',
  fruit: 'tree',
  grain: 'wheat',
}

/** Chooses the branches of the farm, which decide its first terms. */
export function KeepStep(): JSX.Element {
  const [keeps, setKeeps] = useState<readonly FarmBranch[]>([])
  const farm = me.value?.farm
  const [language, setLanguage] = useState(farm?.language ?? 'en')
  const words = missingWords({ keeps, language, system: farm?.system_of_measurement ?? 'metric' }, terms.value.values())
  const press = (one: FarmBranch) =>
    setKeeps(keeps.includes(one) ? keeps.filter((other) => other !== one) : [...keeps, one])
  const add = async () => {
    const saved = await toastOnFailure(save(asChanges(words)))
    if (saved === null) return
    offerUndo([saved], say('setup.keep-added', { count: words.length }))
    const next = nextAfter('keep')
    go(next === undefined ? '/setup' : `/setup/${next}`)
  }
  return (
    <>
      <p class="soft">{say('setup.keep-why')}</p>
      <div class="keeps">
        {farmBranches.map((one) => (
          <button key={one} type="button" class="keep" aria-pressed={keeps.includes(one)} onClick={() => press(one)}>
            {one === 'bees' ? <Hive /> : <Icon name={icons[one]} />}
            <b>{say(`setup.keep.${one}`)}</b>
            <small>{say(`setup.keep.${one}-hint`)}</small>
            <span class={keeps.includes(one) ? 'tick on' : 'tick'}>{keeps.includes(one) && <Icon name="check" />}</span>
          </button>
        ))}
      </div>
      <fieldset>
        <legend class="soft small">{say('setup.keep-words')}</legend>
        <div class="chips flat">
          {Object.keys(startersIn).map((one) => (
            <Chip key={one} pressed={one === language} onPress={() => setLanguage(one)}>
              {languages[one]?.native}
            </Chip>
          ))}
        </div>
      </fieldset>
      <p role="status">{keeps.length === 0 ? '' : wordsAbout(words)}</p>
      <button type="button" class={actionClass('keep')} disabled={words.length === 0 || !usable.value} onClick={add}>
        {say('setup.keep-do')}
      </button>
    </>
  )
}

const counted = {
  [cropBundle]: 'setup.keep-crops',
  [animalTypeBundle]: 'setup.keep-animals',
  [unitBundle]: 'setup.keep-units',
  [materialBundle]: 'setup.keep-materials',
  [logCategoryBundle]: 'setup.keep-categories',
} as const

function wordsAbout(words: ReturnType<typeof missingWords>): string {
  const parts = Object.entries(counted).flatMap(([bundle, key]) => {
    const count = words.filter((word) => word.bundle === bundle).length
    return count === 0 ? [] : [say(key, { count })]
  })
  return parts.length === 0 ? say('setup.keep-nothing-new') : say('setup.keep-adds', { list: parts.join(', ') })
}

/** Used only here. */
function Hive(): JSX.Element {
  return (
    <svg class="ic" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M9 3.5h6l2.5 4.5h-11zM6.5 8h11l1.5 5H5zM5 13h14l-1 7H6zM10.5 20v-3h3v3" />
    </svg>
  )
}

/** Branches of a farm, in the order of the tiles. */
export const farmBranches = ['vegetables', 'livestock', 'fruit', 'grain', 'bees'] as const

type FarmBranch = (typeof farmBranches)[number]

/** First terms of a branch. */
interface Starter {
  /** Crops by family. */
  readonly crops: Readonly<Record<string, readonly string[]>>
  readonly animal_types: readonly string[]
  readonly units: readonly string[]
  readonly materials: readonly string[]
  readonly log_categories: readonly string[]
}

interface Starters {
  readonly starters: Readonly<Record<FarmBranch, Starter>>
  /** Units of every farm. */
  readonly units: Readonly<Record<'metric' | 'us', readonly string[]>>
}

export const startersIn: Readonly<Record<string, Starters>> = { en, de, es }

/** A term with its vocabulary; a crop with its family. */
interface Word {
  readonly bundle: string
  readonly name: string
  readonly family?: string
}

interface StarterChoice {
  readonly keeps: readonly FarmBranch[]
  readonly language: string
  readonly system: 'metric' | 'us'
}

/** Terms that the chosen branches need and the farm lacks, compared by name. */
export function missingWords(chosen: StarterChoice, there: Iterable<LocalRecord>): readonly Word[] {
  const known = new Set([...there].map(({ bundle, name }) => keyOf(bundle, name)))
  return wordsFor(chosen).filter(({ bundle, name }) => {
    const key = keyOf(bundle, name)
    return !known.has(key) && known.add(key)
  })
}

const keyOf = (bundle: string, name: string): string => `${bundle} ${name.trim().normalize('NFC').toLowerCase()}`

function wordsFor({ keeps, language, system }: StarterChoice): readonly Word[] {
  const { starters, units } = startersIn[language] ?? en
  if (keeps.length === 0) return []
  const all = keeps.map((one) => starters[one])
  const inBundle = (bundle: string, names: readonly string[]) => names.map((name) => ({ bundle, name }))
  return [
    ...all.flatMap(({ crops }) =>
      Object.entries(crops).flatMap(([family, names]) => names.map((name) => ({ bundle: cropBundle, name, family }))),
    ),
    ...all.flatMap(({ animal_types }) => inBundle(animalTypeBundle, animal_types)),
    ...inBundle(unitBundle, [...units[system], ...all.flatMap((one) => one.units)]),
    ...all.flatMap(({ materials }) => inBundle(materialBundle, materials)),
    ...all.flatMap(({ log_categories }) => inBundle(logCategoryBundle, log_categories)),
  ]
}

/** A family is given by name, and created with its first crop. */
export const asChanges = (words: readonly Word[]): readonly LocalChange[] =>
  words.map(({ bundle, name, family }) => ({
    verb: 'make',
    type: 'term',
    bundle,
    uuid: newUuid(),
    fields: { name, ...(family === undefined ? {} : { crop_family: { name: family } }) },
  }))
