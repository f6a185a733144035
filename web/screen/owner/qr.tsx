import type { JSX } from 'preact'
import { qrModules } from './qr.ts'
import { say } from './say.ts'

interface QrProps {
  readonly text: string
  /** What whoever does not see it is told. */
  readonly label?: string
}

/** Always dark on light, with the light edge of four modules that readers need. */
export function Qr({ text, label = say('owner.qr') }: QrProps): JSX.Element {
  const modules = qrModules(text)
  const size = modules.length + 8
  const dark = modules.flatMap((line, row) =>
    line.flatMap((isDark, column) => (isDark ? `M${column + 4} ${row + 4}h1v1h-1z` : [])),
  )
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shape-rendering="crispEdges">
      <path d={`M0 0h${size}v${size}H0z`} fill="#fff" />
      <path d={dark.join('')} fill="#000" />
    </svg>
  )
}
