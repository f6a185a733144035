import type { JSX } from 'preact'
import type { ControlProps } from './control.ts'
import { LongTextControl } from './long-text.tsx'
import { richTextWith, textIn } from './rich-value.ts'

/** Its text alone is written here; how it is formatted stays as it is. */
export function RichTextControl(props: ControlProps): JSX.Element {
  const { value, onChange } = props
  return (
    <LongTextControl
      {...props}
      value={textIn(value)}
      onChange={(text) => onChange(richTextWith(value, String(text)))}
    />
  )
}
