import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { TextField } from '../../entry/text-field.tsx'
import { Chip } from '../../look/chip.tsx'
import type { Fault } from '../../store/entry.ts'
import { changeSettings, type Settings, type Told } from '../owner/farm-settings.ts'
import { Faulty } from './faulty.tsx'
import { LayerFields } from './layer-fields.tsx'
import { say } from './say.ts'

type Outcome = 'unsaved' | 'saving' | 'saved' | 'refused' | 'offline'

/** One form with one button: what differs is sent, and a fault stands where it is. */
export function FarmForm({ told }: { readonly told: Told }): JSX.Element {
  const [draft, setDraft] = useState<Settings>(told.settings)
  const [faults, setFaults] = useState<readonly Fault[]>([])
  const [outcome, setOutcome] = useState<Outcome>('unsaved')
  const put = (change: Partial<Settings>) => {
    setDraft({ ...draft, ...change })
    setOutcome('unsaved')
  }
  const save = async (event: Event) => {
    event.preventDefault()
    setOutcome('saving')
    const answer = await changeSettings(differing(told.settings, draft))
    if (answer.failure === null) setDraft(answer.body.settings)
    setFaults(answer.failure === null ? [] : answer.errors)
    setOutcome(answer.failure === null ? 'saved' : answer.failure === 'offline' ? 'offline' : 'refused')
  }
  const at = (field: string) => <Faulty faults={faults} field={field} />
  return (
    <form class="words setup" onSubmit={save}>
      <h2>{say('settings.farm')}</h2>
      <TextField label={say('settings.name')} value={draft.name} onText={(name) => put({ name })} />
      {at('name')}
      <fieldset>
        <legend class="soft small">{say('settings.units')}</legend>
        <div class="chips flat">
          {(['metric', 'us'] as const).map((system) => (
            <Chip
              key={system}
              pressed={draft.system_of_measurement === system}
              onPress={() => put({ system_of_measurement: system })}
            >
              {say(`settings.units.${system}`)}
            </Chip>
          ))}
        </div>
      </fieldset>
      {at('system_of_measurement')}
      <TextField
        label={say('settings.timezone')}
        value={draft.timezone}
        offers={Intl.supportedValuesOf('timeZone')}
        onText={(timezone) => put({ timezone })}
      />
      {at('timezone')}
      <fieldset>
        <legend class="soft small">{say('settings.language')}</legend>
        <div class="chips flat">
          {told.languages.map(({ language, native }) => (
            <Chip key={language} pressed={draft.language === language} onPress={() => put({ language })}>
              {native}
            </Chip>
          ))}
        </div>
      </fieldset>
      {at('language')}
      <fieldset>
        <legend class="soft small">{say('settings.languages')}</legend>
        <div class="chips flat">
          {told.languages.map(({ language, native }) => (
            <Chip
              key={language}
              pressed={language === 'en' || draft.languages.includes(language)}
              onPress={() => language !== 'en' && put({ languages: switched(draft.languages, language) })}
            >
              {native}
            </Chip>
          ))}
        </div>
      </fieldset>
      {at('languages')}
      <TextField
        label={say('settings.trash')}
        value={String(draft.trash_days)}
        onText={(days) => put({ trash_days: days })}
      />
      {at('trash_days')}
      <p class="small soft">{say('settings.events', { count: told.event_days })}</p>
      <h2>{say('settings.layers')}</h2>
      <LayerFields
        layers={draft.map_layers}
        offered={told.offered_layers}
        faults={faults}
        onChange={(map_layers) => put({ map_layers })}
      />
      <p role="status">
        {outcome === 'saved' && say('settings.saved')}
        {outcome === 'refused' && say('settings.not-saved')}
        {outcome === 'offline' && say('shell.failed.offline')}
      </p>
      <button type="submit" class="btn main-do" disabled={outcome === 'saving'}>
        {say('settings.save')}
      </button>
    </form>
  )
}

/** Only what is another: who changes the name leaves the layers to whoever else is changing them. */
function differing(before: Settings, now: Settings): Partial<Settings> {
  const names = Object.keys(now) as (keyof Settings)[]
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name])).map((name) => [name, now[name]]),
  )
}

const switched = (all: readonly string[], one: string): readonly string[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]
