import { describe, expect, test } from 'vitest';
import { byId, snapshotOf, styleOf, useViewer } from '../../../test/viewed-page.ts';

useViewer();

describe('style', () => {
  test('backgrounds: transparent => that behind; half transparent => mixed; any notation => hex', async () => {
    const page = await snapshotOf(`<html style="background:#102030"><body><p id="through">a</p>
      <div id="red" style="background:rgb(255 0 0)"><p id="onred" style="background:rgba(0,0,255,.5)">b</p></div>
      <p id="wide" style="background:oklch(100% 0 0)">c</p>
      <p id="image" style="background-image:linear-gradient(red,blue)">d</p>`);
    expect(styleOf(page, 'through')).toMatchObject({ background: '#102030', paints: false });
    expect(styleOf(page, 'red')).toMatchObject({
      background: '#ff0000',
      paints: true,
      backgroundImage: false,
    });
    expect(styleOf(page, 'onred')).toMatchObject({ background: '#800080', paints: true });
    expect(styleOf(page, 'wide').background).toBe('#ffffff');
    expect(styleOf(page, 'image')).toMatchObject({
      background: '#102030',
      paints: true,
      backgroundImage: true,
    });
  });

  test('position, float, borders, font', async () => {
    const page = await snapshotOf(`<div id="fixed" style="position:fixed;bottom:0">f</div>
      <div id="sticky" style="position:sticky;top:0;border-bottom:1px solid;border-top:2px solid transparent">s</div>
      <div id="left" style="float:left;font:italic 700 20px/1 serif;color:#123456">l</div><b id="b">b</b>`);
    expect(styleOf(page, 'fixed').position).toBe('fixed');
    expect(styleOf(page, 'sticky')).toMatchObject({
      position: 'sticky',
      borders: [false, false, true, false],
    });
    expect(styleOf(page, 'left')).toMatchObject({
      float: 'left',
      fontSize: 20,
      fontWeight: 700,
      fontFamily: 'serif',
      color: '#123456',
    });
    expect(styleOf(page, 'b').display).toBe('inline');
  });

  test('flex and grid => boxes beside each other', async () => {
    const page =
      await snapshotOf(`<body style="margin:0"><div id="flex" style="display:flex"><p id="f1" style="width:100px">1</p>
      <p id="f2" style="width:100px">2</p></div><div id="grid" style="display:grid;grid-template-columns:300px 1fr">
      <p id="g1">1</p><p id="g2">2</p></div>`);
    expect(styleOf(page, 'flex').display).toBe('flex');
    expect(styleOf(page, 'grid').display).toBe('grid');
    expect([byId(page, 'f1'), byId(page, 'f2')].map(({ box }) => box[0])).toEqual([0, 100]);
    expect([byId(page, 'g1'), byId(page, 'g2')].map(({ box }) => box[0])).toEqual([0, 300]);
  });

  test('equal styles => one', async () => {
    const page = await snapshotOf('<p>1</p>'.repeat(200));
    expect(page.styles).toHaveLength(1);
  });
});
