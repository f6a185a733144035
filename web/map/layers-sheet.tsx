import type { ComponentChildren, JSX } from 'preact'
import { areaKinds, type DrawnKind, kindOf, typeLabel } from '../look/place/area-kind.ts'
import { KindKey } from '../look/place/area-shape.tsx'
import { replace, withQuery } from '../look/router.ts'
import { ModalSheet } from '../look/sheet.tsx'
import { me } from '../store/local-copy.ts'
import { say } from '../words/say.ts'
import { areaTree } from './area-tree.ts'
import { chooseLayer, chosenLayer, colours } from './map-state.ts'
import { RestKey } from './rest.tsx'

/** Chooses background and colours, and shows the legend. */
export function LayersSheet({ onClose }: { readonly onClose: () => void }): JSX.Element {
  const layers = me.value?.map_layers ?? []
  const ground = chosenLayer()
  return (
    <ModalSheet title={say('map.layers')} onClose={onClose}>
      <Choices legend={say('map.layers.colours')}>
        <Choice group="colours" isChosen={colours() === 'kind'} onChoose={() => replace(withQuery({ by: null }))}>
          {say('map.layers.by-kind')}
        </Choice>
        <Choice group="colours" isChosen={colours() === 'rest'} onChoose={() => replace(withQuery({ by: 'rest' }))}>
          {say('map.layers.by-rest')}
        </Choice>
      </Choices>
      <Choices legend={say('map.layers.ground')}>
        <Choice group="ground" isChosen={ground === undefined} onChoose={() => chooseLayer(undefined)}>
          {say('map.layers.plain')}
        </Choice>
        {layers.map((layer) => (
          <Choice
            key={layer.name}
            group="ground"
            isChosen={ground?.name === layer.name}
            onChoose={() => chooseLayer(layer)}
          >
            {layer.name}
            <small class="soft">{say('map.layers.asks', { host: new URL(layer.url).host })}</small>
          </Choice>
        ))}
        {layers.length === 0 && <p class="small soft">{say('map.layers.none')}</p>}
      </Choices>
      <h3 class="legend-head">{say('map.layers.key')}</h3>
      {colours() === 'rest' ? <RestKey /> : <KindsKey />}
    </ModalSheet>
  )
}

function Choices({ legend, children }: { readonly legend: string; readonly children: ComponentChildren }): JSX.Element {
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {children}
    </fieldset>
  )
}

interface ChoiceProps {
  readonly group: string
  readonly isChosen: boolean
  readonly onChoose: () => void
  readonly children: ComponentChildren
}

function Choice({ group, isChosen, onChoose, children }: ChoiceProps): JSX.Element {
  return (
    <label class="choice">
      <input type="radio" name={group} checked={isChosen} onChange={onChoose} />
      <span>{children}</span>
    </label>
  )
}

/** Legend of the area types on this farm. */
function KindsKey(): JSX.Element {
  const labels = new Map<DrawnKind, string>()
  for (const area of areaTree.value.byId.values()) {
    const kind = kindOf(area)
    if (!labels.has(kind)) labels.set(kind, typeLabel(area))
  }
  return (
    <ul class="map-keys">
      {areaKinds
        .filter((kind) => labels.has(kind))
        .map((kind) => (
          <li key={kind}>
            <KindKey kind={kind} />
            <span class="place">{labels.get(kind) || say('tree.kinds.other')}</span>
          </li>
        ))}
    </ul>
  )
}
