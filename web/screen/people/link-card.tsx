import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { dayAndClock } from '../../words/format.ts'
import { Qr } from '../owner/qr.tsx'
import type { MadeLink } from './answers.ts'
import { say } from './say.ts'

interface LinkCardProps {
  readonly made: MadeLink
  /** Whose password it is; nothing for an invitation. */
  readonly name?: string
}

/** A link to hand on: to read, to copy, to share, and as a code for the camera of whoever stands beside. */
export function LinkCard({ made: { link, expires }, name }: LinkCardProps): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  const until = dayAndClock(Number(expires))
  const copy = async () => {
    await navigator.clipboard.writeText(link)
    setCopied(true)
  }
  return (
    <div class="card link-card">
      <p role="status">
        {name === undefined ? say('people.link-account', { until }) : say('people.link-password', { name, until })}{' '}
        {say('people.link-once')}
      </p>
      <Qr text={link} />
      <label class="labelled">
        <span class="soft small">{say('people.link')}</span>
        <span class="field">
          <input readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
        </span>
      </label>
      <div class="ways">
        {'clipboard' in navigator && (
          <button type="button" class="btn" onClick={copy}>
            {say(isCopied ? 'people.copied' : 'people.copy')}
          </button>
        )}
        {'share' in navigator && (
          <button type="button" class="btn" onClick={() => navigator.share({ url: link }).catch(() => {})}>
            {say('people.share')}
          </button>
        )}
      </div>
    </div>
  )
}
