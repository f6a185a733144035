import type { JSX } from 'preact'
import { say } from '../words/say.ts'

const rows = ['first', 'second', 'third', 'fourth', 'fifth']

/** Nothing for 200 ms, then grey rows. */
export function Loading(): JSX.Element {
  return (
    <div class="ghosts" role="status">
      <span class="out">{say('shell.loading')}</span>
      {rows.map((row) => (
        <div class="row ghost" key={row} aria-hidden="true">
          <span class="m" />
          <span class="t">
            <b />
            <small />
          </span>
          <span class="e" />
        </div>
      ))}
    </div>
  )
}
