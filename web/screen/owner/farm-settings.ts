import { type Signal, signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { memory } from '../../store/memory.ts'
import type { Me } from '../../store/record.ts'
import { type Answer, askServer } from '../../sync/request.ts'
import { administer, administerWith } from './administer.ts'

export type MapLayer = Me['map_layers'][number]

export interface Settings {
  readonly name: string
  readonly system_of_measurement: 'metric' | 'us'
  readonly language: string
  readonly languages: readonly string[]
  /** A number; while somebody types, what they have typed. */
  readonly trash_days: number | string
  readonly timezone: string
  readonly map_layers: readonly MapLayer[]
}

/** `/administer/settings.json` */
export interface Told {
  readonly settings: Settings
  readonly languages: readonly { readonly language: string; readonly native: string }[]
  readonly offered_layers: readonly MapLayer[]
  readonly event_days: number
  readonly last_backup: string | null
  readonly addresses: readonly string[]
  readonly version: string
}

/** What the server told last; null before, or where it could not be asked. */
export const told: Signal<Told | null> = signal(null)
export const failed: Signal<Extract<Answer<Told>, { failure: string }> | null> = signal(null)

const path = '/administer/settings.json'

export async function readSettings(): Promise<void> {
  take(await administer<Told>(path))
}

/** Asked once for each time the page is opened. */
export function useSettings(): Told | null {
  useEffect(() => void readSettings(), [])
  return told.value
}

/** All screens know it at once; the answer says what was wrong. */
export async function changeSettings(change: Partial<Settings>): Promise<Answer<Told>> {
  const answer = await administerWith<Told>(path, change, 'PUT')
  if (answer.failure !== null) return answer
  take(answer)
  const now = await askServer<Me>('/me.json')
  if (now.failure === null) memory.me.value = now.body
  return answer
}

function take(answer: Answer<Told>): void {
  failed.value = answer.failure === null ? null : answer
  if (answer.failure === null) told.value = answer.body
}
