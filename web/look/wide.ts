import { type ReadonlySignal, signal } from '@preact/signals'

const query = typeof matchMedia === 'undefined' ? null : matchMedia('(min-width: 900px)')
const fits = signal(query?.matches ?? false)
query?.addEventListener('change', ({ matches }) => {
  fits.value = matches
})

/** Whether there is room for the desk: rail, list and detail side by side. */
export const wide: ReadonlySignal<boolean> = fits
