import { Refusal, type RefusalFault } from '../refusal.ts'
import { faultOfLayerAt, faultsOfLayers, layersIn, type MapLayer } from '../storage/map-layers.ts'
import {
  type FarmSettingName,
  type FarmSettings,
  farmSettingNames,
  faultOfSetting,
  readFarmSettings,
  writeFarmSetting,
} from '../storage/settings.ts'
import { note } from './events.ts'
import type { Installation } from './installation.ts'
import { codesIn, knownLanguage, knownLanguages } from './locales.ts'

/** The farm's settings, with lists parsed. */
interface SettingsView extends Omit<FarmSettings, 'languages' | 'map_layers'> {
  readonly languages: readonly string[]
  readonly map_layers: readonly MapLayer[]
}

export const viewOfSettings = (settings: FarmSettings): SettingsView => ({
  ...settings,
  languages: codesIn(settings.languages),
  map_layers: layersIn(settings.map_layers) ?? [],
})

interface SettingsChange {
  /** Any subset of the settings. */
  readonly given: Readonly<Record<string, unknown>>
  /** The base URL of the farm. */
  readonly base: string
  readonly uid: number
  readonly address: string | undefined
}

/** Changes all given settings, or none and names every fault. */
export async function changeSettings(installation: Installation, change: SettingsChange): Promise<void> {
  const { database, clock } = installation
  const { written, faults } = judged(installation, change, await database.read(readFarmSettings))
  if (faults.length > 0) throw new Refusal('invalid-content', 'The settings cannot be changed so.', { faults })
  await database.write(async (tx) => {
    const before = await readFarmSettings(tx)
    const differing = written.filter(([name, value]) => String(before[name]) !== value)
    for (const [name, value] of differing) await writeFarmSetting(tx, name, value)
    const { uid, address } = change
    if (differing.length > 0) await note(tx, 'settings-changed', { at: clock(), uid, address })
  })
}

interface SettingsVerdict {
  readonly written: readonly (readonly [FarmSettingName, string])[]
  readonly faults: readonly RefusalFault[]
}

/** Unchanged values are not validated. */
function judged(installation: Installation, { given, base }: SettingsChange, kept: FarmSettings): SettingsVerdict {
  const written: (readonly [FarmSettingName, string])[] = []
  const faults: RefusalFault[] = []
  for (const [field, value] of Object.entries(given)) {
    const name = farmSettingNames.find((known) => known === field)
    if (name === undefined) {
      faults.push({ field, message: 'There is no such setting.', allowed: farmSettingNames })
      continue
    }
    if (String(kept[name]) === textOf(value)) continue
    const found = name === 'map_layers' ? layerFaults(value, base) : faultsOf(installation, name, value)
    if (found.length === 0) written.push([name, textOf(value)])
    faults.push(...found)
  }
  return { written, faults }
}

/** The setting as stored. */
function textOf(value: unknown): string {
  if (!Array.isArray(value)) return String(value)
  return value.every((one) => typeof one === 'string') && value.length > 0 ? value.join(',') : listText(value)
}

const listText = (list: readonly unknown[]): string => (list.length === 0 ? '' : JSON.stringify(list))

function faultsOf({ farm }: Installation, name: FarmSettingName, value: unknown): readonly RefusalFault[] {
  const isList = name === 'languages'
  const fits = isList ? Array.isArray(value) : typeof value === 'string' || typeof value === 'number'
  const message = fits ? faultOfSetting(name, textOf(value)) : `${name} takes ${isList ? 'a list' : 'one value'}.`
  if (message !== null) return [{ field: name, message }]
  const known = { language: knownLanguage, languages: knownLanguages }
  try {
    if (name === 'language' || name === 'languages') known[name](farm, textOf(value))
    return []
  } catch (error) {
    return [{ field: name, message: (error as Error).message }]
  }
}

function layerFaults(value: unknown, base: string): readonly RefusalFault[] {
  const faults = faultsOfLayers(value)
  if (faults.length > 0) return faults.map(({ at, message }) => ({ field: `map_layers${at}`, message }))
  // The cast is safe: validation found no fault.
  return (value as readonly MapLayer[]).flatMap((layer, place) => {
    const message = faultOfLayerAt(base, layer)
    return message === null ? [] : [{ field: `map_layers[${place}].url`, message }]
  })
}
