import type { JSX } from 'preact'
import type { Fault } from '../../store/entry.ts'

/** What is wrong with a field, below it. */
export function Faulty({ faults, field }: { readonly faults: readonly Fault[]; readonly field: string }): JSX.Element {
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
