import type { Delta, FrameChange, Operation, QuietChange, TouchedBlock } from '../../model/delta.ts';
import { inverseEdit } from './memory-edit.ts';

/** The delta that leads back. It needs neither layout; the inverse of the inverse is the delta itself. */
export function inverseDelta(delta: Delta): Delta {
  return {
    format: 1,
    from: delta.to,
    to: delta.from,
    operations: delta.operations.map(inverseOperation),
    touched: delta.touched.map(
      (block): TouchedBlock => ({
        ...block,
        from: block.to,
        to: block.from,
        importance: { old: block.importance.new, new: block.importance.old },
      }),
    ),
    ledger: {
      frames: delta.ledger.frames.map(inverseFrame),
      quiet: delta.ledger.quiet.map(inverseQuiet),
      ...(delta.ledger.memory && { memory: inverseEdit(delta.ledger.memory) }),
    },
  };
}

const OPPOSITE = { split: 'merge', merge: 'split', frame: 'frame' } as const;

function inverseOperation(operation: Operation): Operation {
  if (operation.element === 'block') {
    switch (operation.op) {
      case 'insert':
        return { op: 'delete', element: 'block', from: operation.to, content: operation.content };
      case 'delete':
        return { op: 'insert', element: 'block', to: operation.from, content: operation.content };
      case 'move':
        return { ...operation, from: operation.to, to: operation.from };
      case 'update':
        return {
          ...operation,
          structure: OPPOSITE[operation.structure],
          from: operation.to,
          to: operation.from,
        };
    }
  }
  const { element } = operation;
  switch (operation.op) {
    case 'insert':
      return { op: 'delete', element, from: operation.to, old: operation.new } as Operation;
    case 'delete':
      return { op: 'insert', element, to: operation.from, new: operation.old } as Operation;
    default:
      return {
        op: operation.op,
        element,
        from: operation.to,
        to: operation.from,
        old: operation.new,
        new: operation.old,
      } as Operation;
  }
}

function inverseFrame(change: FrameChange): FrameChange {
  if (!change.old) return { old: change.new };
  return change.new ? { old: change.new, new: change.old } : { new: change.old };
}

function inverseQuiet(change: QuietChange): QuietChange {
  const { element, from, to, values } = change;
  const turned = values ? { values: { old: values.new, new: values.old } } : {};
  return { element, from: to, to: from, ...turned } as QuietChange;
}

/** Whether old and new layout are identical. */
export function isIdentity(delta: Delta): boolean {
  const { operations, ledger, from, to } = delta;
  return (
    operations.length + ledger.frames.length + ledger.quiet.length === 0 &&
    ledger.memory === undefined &&
    from.url === to.url &&
    from.title === to.title &&
    from.version === to.version &&
    from.viewport.width === to.viewport.width &&
    from.viewport.height === to.viewport.height
  );
}
