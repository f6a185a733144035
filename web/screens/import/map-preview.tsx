import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { Chip } from '../../look/chip.tsx'
import { wide } from '../../look/desk.ts'
import { Row, Section } from '../../look/list.tsx'
import { dotted } from '../../look/names.ts'
import { extentOf, onMap } from '../../look/place/mercator.ts'
import { areasAround, namesOn, type Paper, paperAround, pathOnPaper, pointOnPaper } from '../../look/place/paper.ts'
import { AreaOnPaper, GridLines } from '../../look/place/place-map.tsx'
import { type DrawnShapes, readWkt } from '../../look/place/shapes.ts'
import { say } from '../../words/say.ts'
import { CountsAndTerms } from './counts.tsx'
import { type FeatureResult, type MapAnswer, withoutAdvice } from './import-api.ts'
import { answerAndCheck } from './import-requests.ts'
import { importOptions } from './import-state.ts'

const mostShown = 20

/** Preview of a map: its shapes on the farm, then its features, those with problems first. */
export function MapPreview({ map }: { readonly map: MapAnswer }): JSX.Element {
  const { counts, features, left_out, would_create, shapes } = map
  const [chosen, setChosen] = useState<number | null>(null)
  const order = (one: FeatureResult): number => (isChosen(one, chosen) ? -1 : rankOf(one))
  const shown = features.toSorted((one, other) => order(one) - order(other)).slice(0, mostShown)
  const leftOut = left_out.map(({ what, count }) => say('import.many', { what, count }))
  const notShown = shapes?.not_shown ?? 0
  return (
    <Section title={say('import.preview')}>
      <CountsAndTerms counts={counts} terms={would_create}>
        {leftOut.length > 0 && <p class="small soft">{say('import.left-out', { what: leftOut.join(', ') })}</p>}
        <Namesakes features={features} />
        <ShapesOnFarm features={features} chosen={chosen} onChoose={setChosen} />
        {notShown > 0 && <p class="small soft">{say('import.map.not-drawn', { count: notShown })}</p>}
      </CountsAndTerms>
      {shown.map((one, at) => (
        <Row
          key={one.feature ?? `parent ${at}`}
          margin={one.shape !== undefined && <Swatch result={one.result} />}
          title={<FeatureName feature={one} isChosen={isChosen(one, chosen)} />}
          second={secondOf(one)}
        />
      ))}
      {features.length > mostShown && (
        <li class="words">{say('import.not-told', { count: features.length - mostShown })}</li>
      )}
    </Section>
  )
}

const isChosen = ({ feature }: FeatureResult, chosen: number | null): boolean =>
  feature !== undefined && feature === chosen

const rankOf = ({ faults, named, namesake }: FeatureResult): number =>
  faults !== undefined ? 0 : named || namesake !== undefined ? 1 : 2

interface FeatureNameProps {
  readonly feature: FeatureResult
  readonly isChosen: boolean
}

/** The row of a shape that was tapped takes the focus. */
function FeatureName({ feature: { name, feature = 0 }, isChosen }: FeatureNameProps): JSX.Element {
  const element = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isChosen) element.current?.focus()
  }, [isChosen])
  return (
    <bdi ref={element} tabIndex={-1}>
      {name || say('import.problem-of-feature', { number: feature + 1 })}
    </bdi>
  )
}

function secondOf({ result, named, namesake, faults = [] }: FeatureResult): string {
  const reasons = faults.map(({ field, message }) =>
    say('import.part', { part: field, member: withoutAdvice(message) }),
  )
  return dotted([
    say(`import.result.${result}`),
    named ? say('import.named') : '',
    namesake === undefined ? '' : say('import.namesake'),
    ...reasons,
  ])
}

/** Offers to update areas that have the names of features, and the way back. */
function Namesakes({ features }: Pick<MapAnswer, 'features'>): JSX.Element | null {
  const count = features.filter(({ namesake }) => namesake !== undefined).length
  const isByName = importOptions.value.parameters.match === 'name'
  if (isByName && features.some(({ result }) => result === 'changed'))
    return (
      <div class="options">
        <Chip onPress={() => answerAndCheck('match=')}>{say('import.namesakes.new')}</Chip>
      </div>
    )
  if (count === 0) return null
  return (
    <>
      <p>{say('import.namesakes', { count })}</p>
      <div class="options">
        <Chip onPress={() => answerAndCheck('match=name')}>{say('import.namesakes.update')}</Chip>
      </div>
    </>
  )
}

/** Colours by result; a broken edge also marks what is refused. */
const looks = {
  created: { fill: 'var(--leaf)', stroke: 'var(--leaf)' },
  changed: { fill: 'var(--waiting)', stroke: 'var(--waiting)' },
  unchanged: { fill: 'var(--soft)', stroke: 'var(--soft)' },
  fault: { fill: 'var(--needs)', stroke: 'var(--needs)', 'stroke-dasharray': '5 3' },
} as const

const Swatch = ({ result }: Pick<FeatureResult, 'result'>): JSX.Element => (
  <svg width="18" height="18" aria-hidden="true">
    <path class="a" d="M2 2h14v14h-14z" fill-opacity="0.4" {...looks[result]} />
  </svg>
)

interface FeatureShape {
  readonly feature: number
  readonly result: FeatureResult['result']
  readonly name: string
  readonly shapes: DrawnShapes
  /** Large shapes are drawn first, so that those on them can be tapped. */
  readonly size: number
}

function featureShape({
  shape,
  ...feature
}: Omit<FeatureShape, 'shapes' | 'size'> & { readonly shape: string }): FeatureShape {
  const shapes = readWkt(shape)
  const [west, south, east, north] = extentOf(pathsOf(shapes)) ?? [0, 0, 0, 0]
  return { ...feature, shapes, size: (east - west) * (north - south) }
}

const pathsOf = ({ points, lines, areas }: DrawnShapes) => [...points, ...lines, ...areas.flat()]

const onDesk = { width: 656, height: 380 }
const onPhone = { width: 320, height: 280 }

interface ShapesProps extends Pick<MapAnswer, 'features'> {
  readonly chosen: number | null
  readonly onChoose: (feature: number) => void
}

/** The shapes of the file over the areas of the farm. A tap on one shows its row. */
function ShapesOnFarm({ features, chosen, onChoose }: ShapesProps): JSX.Element | null {
  const drawn = useMemo(
    () =>
      features
        .flatMap(({ feature, result, name, shape }): readonly FeatureShape[] =>
          feature === undefined || shape === undefined ? [] : [featureShape({ feature, result, name, shape })],
        )
        .sort((one, other) => other.size - one.size),
    [features],
  )
  const bounds = useMemo(() => extentOf(drawn.flatMap(({ shapes }) => pathsOf(shapes)).map(onMap)), [drawn])
  if (bounds === undefined) return null
  const paper = paperAround(bounds, bounds, wide.value ? onDesk : onPhone)
  const others = areasAround(paper.extent)
  const chosenShape = drawn.find(({ feature }) => feature === chosen)
  const choose = ({ target }: MouseEvent): void => {
    const feature = target instanceof Element ? target.getAttribute('data-feature') : null
    if (feature !== null) onChoose(Number(feature))
  }
  return (
    <>
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the rows below say the same to the keyboard */}
      <svg
        class="squared spaced"
        viewBox={`0 0 ${paper.width} ${paper.height}`}
        width="100%"
        role="img"
        aria-label={say('import.map')}
        onClick={choose}
      >
        <rect width="100%" height="100%" fill="var(--ground)" />
        {others.map((other) => (
          <AreaOnPaper key={other.id} area={other} paper={paper} others={others} />
        ))}
        <GridLines paper={paper} />
        {drawn.map((one) => (
          <ShapeOnPaper key={one.feature} shape={one} paper={paper} />
        ))}
        <g pointer-events="none">
          {namesOn(paper, others).map(({ name, kind, left, top }) => (
            <text key={`${left} ${top}`} class={`lb lb-${kind}`} x={left} y={top}>
              {name}
            </text>
          ))}
          {chosenShape !== undefined && <path class="chosen" d={outlineOf(chosenShape.shapes, paper)} />}
        </g>
      </svg>
      <p class="small soft">{say('import.map.tap')}</p>
    </>
  )
}

/** Points are circles, so that a finger hits them. */
const outlineOf = ({ points, lines, areas }: DrawnShapes, paper: Paper): string =>
  [
    ...[...areas.flat(), ...lines].map((path) => pathOnPaper(paper, path)),
    ...points.map((point) => {
      const [left, top] = pointOnPaper(paper, point)
      return `M${left - 7} ${top}a7 7 0 1 0 14 0a7 7 0 1 0-14 0`
    }),
  ].join('')

interface ShapeOnPaperProps {
  readonly shape: FeatureShape
  readonly paper: Paper
}

function ShapeOnPaper({ shape: { feature, result, name, shapes }, paper }: ShapeOnPaperProps): JSX.Element {
  const isLine = shapes.lines.length > 0 && shapes.areas.length === 0
  return (
    <path
      class={isLine ? 'a open-line' : 'a'}
      data-feature={feature}
      fill-rule="evenodd"
      fill-opacity="0.4"
      d={outlineOf(shapes, paper)}
      {...looks[result]}
    >
      <title>{name}</title>
    </path>
  )
}
