import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { memory } from '../../store/memory.ts'
import type { Me } from '../../store/record.ts'
import { type Answer, askServer } from '../../sync/request.ts'
import { administer, administerWith } from './administer.ts'

export type LayerSetting = Me['map_layers'][number]

export interface EditableSettings {
  readonly name: string
  readonly system_of_measurement: 'metric' | 'us'
  readonly language: string
  readonly languages: readonly string[]
  /** A number; the typed text while editing. */
  readonly trash_days: number | string
  readonly timezone: string
  readonly map_layers: readonly LayerSetting[]
  readonly paper_address: string
  readonly holding_numbers: string
  readonly certifier: string
  readonly certifier_number: string
  readonly withholding_factor: string
  readonly tag_days: string
}

/** `/administer/settings.json` */
export interface SettingsAnswer {
  readonly settings: EditableSettings
  readonly languages: readonly { readonly language: string; readonly native: string }[]
  readonly offered_layers: readonly LayerSetting[]
  readonly event_days: number
  readonly last_backup: string | null
  readonly addresses: readonly string[]
  readonly version: string
}

/** Last answer of the server; null before the first. */
const settingsAnswer: Signal<SettingsAnswer | null> = signal(null)
export const settingsFailure: Signal<Extract<Answer<SettingsAnswer>, { failure: string }> | null> = signal(null)

const path = '/administer/settings.json'

export async function readSettings(): Promise<void> {
  take(await administer<SettingsAnswer>(path))
}

/** Requests the settings once per visit of the page. */
export function useSettings(): SettingsAnswer | null {
  useEffect(() => void readSettings(), [])
  return settingsAnswer.value
}

/** Saves settings and updates all screens; the answer has the faults. */
export async function changeSettings(change: Partial<EditableSettings>): Promise<Answer<SettingsAnswer>> {
  const answer = await administerWith<SettingsAnswer>(path, change, 'PUT')
  if (answer.failure !== null) return answer
  take(answer)
  const now = await askServer<Me>('/me.json')
  if (now.failure === null) memory.me.value = now.body
  return answer
}

function take(answer: Answer<SettingsAnswer>): void {
  settingsFailure.value = answer.failure === null ? null : answer
  if (answer.failure === null) settingsAnswer.value = answer.body
}

/** Degrees. */
interface Coordinates {
  readonly longitude: number
  readonly latitude: number
}

/** Parses "52.0302, 8.5325" or "52,0302; 8,5325": latitude first, minus for south and west; else null. */
export function parsePlace(text: string): Coordinates | null {
  const [, north = '', east = ''] =
    /^\s*(-?\d{1,2}(?:\.\d+)?)[\s,;]+(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text) ??
    /^\s*(-?\d{1,2}(?:,\d+)?)[\s;]+(-?\d{1,3}(?:,\d+)?)\s*$/.exec(text) ??
    []
  if (north === '') return null
  const [latitude, longitude] = [Number(north.replace(',', '.')), Number(east.replace(',', '.'))]
  return Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null
}

/** Six decimals: a decimetre. */
export const pointOf = ({ longitude, latitude }: Coordinates): string =>
  `POINT (${longitude.toFixed(6)} ${latitude.toFixed(6)})`
