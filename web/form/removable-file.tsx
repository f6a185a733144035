import type { ComponentChildren, JSX } from 'preact'
import { Icon } from '../look/icon.tsx'
import { say } from './say.ts'

interface RemovableFileProps {
  readonly name: string
  readonly onRemove: () => void
  /** What is seen of it. */
  readonly children: ComponentChildren
}

export function RemovableFile({ name, onRemove, children }: RemovableFileProps): JSX.Element {
  return (
    <li>
      {children}
      <button type="button" class="icon-btn" aria-label={say('form.remove', { name })} onClick={onRemove}>
        <Icon name="close" />
      </button>
    </li>
  )
}
