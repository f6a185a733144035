import { type ReadonlySignal, signal } from '@preact/signals'

const query = typeof matchMedia === 'undefined' ? null : matchMedia('(min-width: 900px)')
const fits = signal(query?.matches ?? false)
query?.addEventListener('change', ({ matches }) => {
  fits.value = matches
})

/** Whether there is room for the desk: rail, list and detail side by side. */
export const wide: ReadonlySignal<boolean> = fits

/** On a desk a list shows its first record beside it, until another is chosen: the address of that record below `/app`. */
export const beside = signal<string | null>(null)

/** The list that was looked at last: back leads there, and on a desk it stays beside what was chosen from it. */
export const lastList = signal('/records')

/** What a sheet lies over, and where one comes back to from an entry. */
export const lastShown = signal('/')
