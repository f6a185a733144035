import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Qr } from './qr.tsx'
import { say } from './say.ts'

interface HandedLinkProps {
  readonly link: string
  readonly label: string
}

/** A link to hand on: to read, to copy, to share, and as a code for the camera of the person who stands beside. */
export function HandedLink({ link, label }: HandedLinkProps): JSX.Element {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(link)
    setCopied(true)
  }
  return (
    <>
      {isOfThisMachine(link) && (
        <p role="note">
          {say('owner.link-alone')} <a href="/docs/phone">{say('owner.link-how')}</a>
        </p>
      )}
      <Qr text={link} />
      <label class="labelled">
        <span class="soft small">{label}</span>
        <span class="field">
          <input readOnly value={link} onFocus={({ currentTarget }) => currentTarget.select()} />
        </span>
      </label>
      <div class="ways">
        {'clipboard' in navigator && (
          <button type="button" class="btn" onClick={copy}>
            {say(isCopied ? 'owner.copied' : 'owner.copy')}
          </button>
        )}
        {'share' in navigator && (
          <button type="button" class="btn" onClick={() => navigator.share({ url: link }).catch(() => {})}>
            {say('owner.share')}
          </button>
        )}
      </div>
    </>
  )
}

/** The farm knows no address that others could open. */
const isOfThisMachine = (link: string): boolean => /^(?:127\..*|\[::1\]|localhost)$/.test(new URL(link).hostname)
