import { correction, generate } from 'lean-qr'
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { say } from '../../words/say.ts'

interface ShareLinkProps {
  readonly link: string
  readonly label: string
}

/** A link to share: as text, to copy, by the share sheet, and as a QR code. */
export function ShareLink({ link, label }: ShareLinkProps): JSX.Element {
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

/** True for a loopback address, which other devices cannot open. */
const isOfThisMachine = (link: string): boolean => /^(?:127\..*|\[::1\]|localhost)$/.test(new URL(link).hostname)

interface QrProps {
  readonly text: string
  /** Accessible label. */
  readonly label?: string
}

/** Always dark on light, with the quiet zone of four modules. */
export function Qr({ text, label = say('owner.qr') }: QrProps): JSX.Element {
  const code = generate(text, { minCorrectionLevel: correction.M })
  const size = code.size + 8
  const dark = Array.from({ length: code.size ** 2 }, (_, at) => [at % code.size, Math.floor(at / code.size)] as const)
    .filter(([column, row]) => code.get(column, row))
    .map(([column, row]) => `M${column + 4} ${row + 4}h1v1h-1z`)
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
