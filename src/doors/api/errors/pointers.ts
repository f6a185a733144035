import { type Fault, Refusal } from '../../../refusal.ts'

/** The JSON Pointer (RFC 6901) to what stands under these names, one inside the other. */
export const pointerOfPath = (names: readonly (string | number)[]): string =>
  names.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** The same refusal, whose faults point at what was sent. One that points somewhere already stays as it is. */
export function pointed(refusal: Refusal, pointerOf: (fault: Fault) => string | undefined): Refusal {
  const { faults = [] } = refusal.details
  const pointing = faults.map((fault) => {
    const pointer = fault.pointer ?? pointerOf(fault)
    return pointer === undefined ? fault : { ...fault, pointer }
  })
  return new Refusal(refusal.refusal, refusal.message, { ...refusal.details, faults: pointing })
}
