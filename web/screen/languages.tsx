import { useSignal } from '@preact/signals'
import type { JSX } from 'preact'
import { languages } from '../../src/words/languages.ts'
import { Chip } from '../look/chip.tsx'
import { Section } from '../look/section.tsx'
import { saveAccountLanguage } from '../sync/online-actions.ts'
import { chooseLanguage, language } from '../words/language.ts'
import { say } from './device-say.ts'

/** The language of this device, which the account remembers for the next one. */
export function Languages(): JSX.Element {
  const isMissing = useSignal(false)
  const choose = async (code: string): Promise<void> => {
    isMissing.value = !(await chooseLanguage(code))
    if (!isMissing.value) await saveAccountLanguage(code)
  }
  return (
    <Section title={say('more.language')}>
      <li class="words">
        <div class="chips flat">
          {Object.entries(languages).map(([code, { native }]) => (
            <Chip key={code} pressed={code === language.value} onPress={() => void choose(code)}>
              <span lang={code}>{native}</span>
            </Chip>
          ))}
        </div>
        {isMissing.value && (
          <p class="small" role="alert">
            {say('more.language-missing')}
          </p>
        )}
      </li>
    </Section>
  )
}
