import { type ReadonlySignal, signal } from '@preact/signals'

const query = typeof matchMedia === 'undefined' ? null : matchMedia('(min-width: 900px)')
const fits = signal(query?.matches ?? false)
query?.addEventListener('change', ({ matches }) => {
  fits.value = matches
})

/** True if the window has room for rail, list and detail. */
export const wide: ReadonlySignal<boolean> = fits

/** Path of the record beside a list on a desk: the first one, until the user chooses another. */
export const beside = signal<string | null>(null)

/** Last list: on a desk it stays beside the chosen record. */
export const lastList = signal('/records')

/** Last list or map: Back leads there. */
export const lastPlace = signal('/records')

/** Screen below a sheet; leaving an entry returns there. */
export const lastShown = signal('/')
