import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { animalTypeBundle, cropBundle } from '../../../src/farm/bundle-names.ts'
import { areas, generation, logs, terms } from '../../store/local-copy.ts'
import { firstStepsKey } from '../../store/local-storage.ts'

export const steps = ['keep', 'where', 'field', 'log', 'phone'] as const

export type SetupStep = (typeof steps)[number]

export const isStep = (name: string): name is SetupStep => steps.some((step) => step === name)

/** How often some were skipped here: whoever has looked looks again. */
const skips = signal(0)
const hasLogs = signal(false)

const wordsToKeep = [cropBundle, animalTypeBundle]

/** By what is in the farm; whether a phone has it, only a person knows. */
const isDone: Readonly<Record<SetupStep, () => boolean>> = {
  keep: () => [...terms.value.values()].some(({ bundle }) => wordsToKeep.includes(bundle)),
  where: () => areas().length > 0,
  field: () => areas().some(({ fields }) => fields.area_type !== 'property'),
  log: () => hasLogs.value,
  phone: () => namesSkipped().includes('phone-done'),
}

const namesSkipped = (): readonly string[] => {
  void skips.value
  return (localStorage.getItem(firstStepsKey()) ?? '').split(' ')
}

type StepState = 'done' | 'skipped' | 'open'

export function stateOf(step: SetupStep): StepState {
  if (isDone[step]()) return 'done'
  return namesSkipped().includes(step) ? 'skipped' : 'open'
}

/** The first that is neither done nor skipped, after this one and then from the beginning. */
export function nextAfter(step?: SetupStep): SetupStep | undefined {
  const at = step === undefined ? 0 : steps.indexOf(step) + 1
  return [...steps.slice(at), ...steps.slice(0, at)].find((one) => one !== step && stateOf(one) === 'open')
}

export const skip = (...names: readonly string[]): void => keep([...new Set([...namesSkipped(), ...names])])

/** They are hidden from now on. */
export const endSteps = (): void => keep(['over'])

function keep(names: readonly string[]): void {
  localStorage.setItem(firstStepsKey(), names.join(' ').trim())
  skips.value += 1
}

/** Looks again whenever the copy has changed. */
export function useSteps(): void {
  const commit = generation.value
  useEffect(() => {
    logs({ limit: 1 }).then(({ length }) => {
      hasLogs.value = length > 0
    })
  }, [commit])
}
