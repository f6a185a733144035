import type { ComponentChildren, JSX } from 'preact'
import { useEffect, useId, useRef } from 'preact/hooks'
import { say } from '../words/say.ts'
import { Icon } from './icon.tsx'

interface SheetProps {
  readonly title: ComponentChildren
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Modal until closed, also by Escape. */
export function ModalSheet({ title, onClose, children }: SheetProps): JSX.Element {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog class="sheet modal" ref={dialog} aria-labelledby={id} onClose={onClose} closedby="any">
      <SheetHead id={id} title={title} onClose={() => dialog.current?.close()} />
      {children}
    </dialog>
  )
}

interface SheetHeadProps extends Omit<SheetProps, 'children'> {
  readonly id: string
}

function SheetHead({ id, title, onClose }: SheetHeadProps): JSX.Element {
  return (
    <>
      <span class="grip" />
      <div class="sheet-head">
        <h2 id={id}>{title}</h2>
        <button type="button" class="icon-btn far" aria-label={say('shell.close')} onClick={onClose}>
          <Icon name="close" />
        </button>
      </div>
    </>
  )
}
