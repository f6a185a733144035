import { signal } from '@preact/signals'
import { useLayoutEffect } from 'preact/hooks'
import type { IconName } from './icons.ts'

/** Where one gets out of a screen, at the left of the strip. */
export interface Up {
  readonly to: string
  readonly label: string
  readonly icon?: IconName
}

/** Of screens that say it themselves. */
export const ownUp = signal<Up | null>(null)

export function useUp({ to, label, icon }: Up): void {
  useLayoutEffect(() => {
    ownUp.value = { to, label, ...(icon === undefined ? {} : { icon }) }
  }, [to, label, icon])
  useLayoutEffect(
    () => () => {
      ownUp.value = null
    },
    [],
  )
}
