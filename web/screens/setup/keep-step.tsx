import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import {
  animalTypeBundle,
  cropBundle,
  logCategoryBundle,
  materialBundle,
  unitBundle,
} from '../../../src/farm/bundle-names.ts'
import { languages } from '../../../src/words/languages.ts'
import { Chip } from '../../look/chip.tsx'
import { Icon, type IconName } from '../../look/icon.tsx'
import { go } from '../../look/router.ts'
import { offerUndo, toastOnFailure } from '../../look/undo.tsx'
import { me, terms } from '../../store/local-copy.ts'
import { save } from '../../sync/save.ts'
import { usable } from '../../sync/status.ts'
import { say } from '../../words/say.ts'
import { asChanges, type FarmBranch, farmBranches, missingWords, startersIn } from './starter-terms.ts'
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
