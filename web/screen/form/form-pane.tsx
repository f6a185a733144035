import type { ComponentChildren, JSX } from 'preact'
import { lastShown } from '../../look/beside.ts'
import { Pane } from '../../look/pane.tsx'
import { useUp } from '../../look/up.ts'

interface FormPaneProps {
  /** In the strip, beside the cross that leads out. */
  readonly label: string
  readonly children: ComponentChildren
}

export function FormPane({ label, children }: FormPaneProps): JSX.Element {
  useUp({ to: lastShown.value, label, icon: 'close' })
  return (
    <Pane name="form">
      <div class="read">{children}</div>
    </Pane>
  )
}
