import type { JSX } from 'preact'
import { Mark } from '../../look/mark.tsx'

interface CardHeadProps {
  readonly title: string
  readonly text: string
}

export function CardHead({ title, text }: CardHeadProps): JSX.Element {
  return (
    <>
      <h3 class="card-title">
        <Mark kind="needs" />
        <bdi>{title}</bdi>
      </h3>
      <p class="small soft">{text}</p>
    </>
  )
}
