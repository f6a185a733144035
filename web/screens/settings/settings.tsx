import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { owner } from '../../../src/words/en/owner.ts'
import { settings } from '../../../src/words/en/settings.ts'
import { SelectField, TextField } from '../../forms/text-field.tsx'
import { Chip } from '../../look/chip.tsx'
import { Failed } from '../../look/failure.tsx'
import { Loading } from '../../look/page.tsx'
import type { ContentFault } from '../../store/outbox-entry.ts'
import { addWords, say } from '../../words/say.ts'
import {
  changeSettings,
  type EditableSettings,
  type LayerSetting,
  readSettings,
  type SettingsAnswer,
  settingsFailure,
  useSettings,
} from '../owner/farm-settings.ts'
import { OwnerPage } from '../owner/owner-page.tsx'
import { Safety } from './safety.tsx'

addWords(owner, settings)

/** Farm settings, map layers, and safety. */
export function Part(): JSX.Element {
  return (
    <OwnerPage title={say('settings.title')}>
      <SettingsForm />
    </OwnerPage>
  )
}

function SettingsForm(): JSX.Element {
  const document = useSettings()
  if (document !== null)
    return (
      <>
        <FarmForm document={document} />
        <Safety document={document} />
      </>
    )
  return settingsFailure.value === null ? (
    <Loading />
  ) : (
    <Failed failure={settingsFailure.value} onRetry={() => void readSettings()} />
  )
}

type Outcome = 'unsaved' | 'saving' | 'saved' | 'refused' | 'offline'

/** One form with one button: sends changed fields, shows faults at their fields. */
export function FarmForm({ document }: { readonly document: SettingsAnswer }): JSX.Element {
  const [draft, setDraft] = useState<EditableSettings>(document.settings)
  const [faults, setFaults] = useState<readonly ContentFault[]>([])
  const [outcome, setOutcome] = useState<Outcome>('unsaved')
  const put = (change: Partial<EditableSettings>) => {
    setDraft({ ...draft, ...change })
    setOutcome('unsaved')
  }
  const save = async (event: Event) => {
    event.preventDefault()
    setOutcome('saving')
    const answer = await changeSettings(differing(document.settings, draft))
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
      <SelectField
        label={say('settings.timezone')}
        value={draft.timezone}
        offers={['UTC', ...Intl.supportedValuesOf('timeZone')]}
        onText={(timezone) => put({ timezone })}
      />
      {at('timezone')}
      <fieldset>
        <legend class="soft small">{say('settings.language')}</legend>
        <div class="chips flat">
          {document.languages.map(({ language, native }) => (
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
          {document.languages.map(({ language, native }) => (
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
      <p class="small soft">{say('settings.events', { count: document.event_days })}</p>
      <h2>{say('settings.papers')}</h2>
      {(['paper_address', 'holding_numbers'] as const).map((name) => (
        <label class="labelled" key={name}>
          <span class="soft small">{say(`settings.${name}`)}</span>
          <span class="field">
            <textarea
              rows={3}
              value={draft[name]}
              onInput={({ currentTarget }) => put({ [name]: currentTarget.value })}
            />
          </span>
          {at(name)}
        </label>
      ))}
      {(['certifier', 'certifier_number', 'withholding_factor', 'tag_days'] as const).map((name) => (
        <div key={name}>
          <TextField label={say(`settings.${name}`)} value={draft[name]} onText={(text) => put({ [name]: text })} />
          {at(name)}
        </div>
      ))}
      <h2>{say('settings.layers')}</h2>
      <LayerFields
        layers={draft.map_layers}
        offered={document.offered_layers}
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

/** Only changed fields: another manager may be changing the others. */
function differing(before: EditableSettings, now: EditableSettings): Partial<EditableSettings> {
  const names = Object.keys(now) as (keyof EditableSettings)[]
  return Object.fromEntries(
    names.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(now[name])).map((name) => [name, now[name]]),
  )
}

const switched = (all: readonly string[], one: string): readonly string[] =>
  all.includes(one) ? all.filter((other) => other !== one) : [...all, one]

const most = 3
const blank: LayerSetting = { name: '', url: '', credit: '', max_zoom: 18 }

interface LayerFieldsProps {
  readonly layers: readonly LayerSetting[]
  readonly offered: readonly LayerSetting[]
  readonly faults: readonly ContentFault[]
  readonly onChange: (layers: readonly LayerSetting[]) => void
}

function LayerFields({ layers, offered, faults, onChange }: LayerFieldsProps): JSX.Element {
  const put = (place: number, change: Partial<LayerSetting>) =>
    onChange(layers.map((layer, at) => (at === place ? { ...layer, ...change } : layer)))
  return (
    <>
      <p class="small soft">{say('settings.layers-why')}</p>
      {layers.length === 0 && <p>{say('settings.layers-none')}</p>}
      {layers.map((layer, place) => (
        // Keyed by position: two layers may be equal while typing.
        <fieldset key={place} class="card setup">
          <legend class="out">{say('settings.layer', { number: place + 1 })}</legend>
          <TextField label={say('settings.layer-name')} value={layer.name} onText={(name) => put(place, { name })} />
          <Faulty faults={faults} field={`map_layers[${place}].name`} />
          <TextField label={say('settings.layer-url')} value={layer.url} onText={(url) => put(place, { url })} />
          <Faulty faults={faults} field={`map_layers[${place}].url`} />
          <TextField
            label={say('settings.layer-credit')}
            value={layer.credit}
            onText={(credit) => put(place, { credit })}
          />
          <Faulty faults={faults} field={`map_layers[${place}].credit`} />
          <TextField
            label={say('settings.layer-zoom')}
            value={String(layer.max_zoom)}
            onText={(zoom) => put(place, { max_zoom: Number(zoom) })}
          />
          <Faulty faults={faults} field={`map_layers[${place}].max_zoom`} />
          <div class="ways">
            <TryLink url={layer.url} />
            <button type="button" class="btn" onClick={() => onChange(layers.filter((_, at) => at !== place))}>
              {say('settings.layer-remove')}
            </button>
          </div>
        </fieldset>
      ))}
      <Faulty faults={faults} field="map_layers" />
      {layers.length < most && (
        <div class="ways">
          {offered
            .filter(({ url }) => !layers.some((layer) => layer.url === url))
            .map((layer) => (
              <button key={layer.url} type="button" class="btn" onClick={() => onChange([...layers, layer])}>
                {say('settings.layer-offered', { name: layer.name })}
              </button>
            ))}
          <button type="button" class="btn" onClick={() => onChange([...layers, blank])}>
            {say('settings.layer-add')}
          </button>
        </div>
      )}
      <p class="small soft">{say('settings.layer-reload')}</p>
    </>
  )
}

/** Opens one tile of the whole earth in a new page: the security policy of this one forbids other hosts. */
function TryLink({ url }: { readonly url: string }): JSX.Element | null {
  if (!/^https?:\/\/[^/]+\/.*\{z\}/.test(url)) return null
  const tile = url.replace(/\{[zxy]\}/g, '0')
  return (
    <a class="btn" href={tile} target="_blank" rel="noopener noreferrer">
      {say('settings.layer-try')}
    </a>
  )
}

/** Faults below a field. */
function Faulty({ faults, field }: { readonly faults: readonly ContentFault[]; readonly field: string }): JSX.Element {
  return (
    <>
      {faults
        .filter((fault) => fault.field === field)
        .map(({ message }) => (
          <p key={message} class="fault" role="alert">
            {message}
          </p>
        ))}
    </>
  )
}
