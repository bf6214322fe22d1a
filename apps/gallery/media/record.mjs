/* global document, MediaRecorder, Blob, FileReader, performance, requestAnimationFrame */

/**
 * Makes the picture, the film and the sound of a string that swings in its third harmonic:
 * `node apps/gallery/media/record.mjs [chromium]`. A browser draws and films, so that no codec is needed here.
 */
import { Buffer } from 'node:buffer';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const harmonic = 3;
const fundamental = 110; // Hz: the A string of a guitar
const fileOf = (name) => join(import.meta.dirname, name);

/** Runs in the browser. Gives the picture and the film as data URLs. */
async function film(n) {
  const canvas = document.createElement('canvas');
  canvas.width = 480;
  canvas.height = 160;
  const pen = canvas.getContext('2d');

  function draw(seconds) {
    const lift = 60 * Math.cos(2 * Math.PI * seconds);
    pen.fillStyle = '#ffffff';
    pen.fillRect(0, 0, 480, 160);
    pen.strokeStyle = '#2563a8';
    pen.lineWidth = 3;
    pen.beginPath();
    for (let x = 0; x <= 440; x++) pen.lineTo(20 + x, 80 - lift * Math.sin((n * Math.PI * x) / 440));
    pen.stroke();
    pen.fillStyle = '#b3261e';
    for (let node = 0; node <= n; node++) {
      pen.beginPath();
      pen.arc(20 + (node * 440) / n, 80, 5, 0, 2 * Math.PI);
      pen.fill();
    }
  }

  function drawUntil(end, done) {
    const start = performance.now();
    const tick = () => {
      const seconds = (performance.now() - start) / 1000;
      draw(seconds);
      if (seconds < end) requestAnimationFrame(tick);
      else done();
    };
    tick();
  }

  draw(0);
  const picture = canvas.toDataURL('image/png');
  const options = { mimeType: 'video/webm;codecs=vp8', videoBitsPerSecond: 120_000 };
  const recorder = new MediaRecorder(canvas.captureStream(25), options);
  const parts = [];
  recorder.ondataavailable = ({ data }) => parts.push(data);
  await new Promise((done) => {
    recorder.onstop = done;
    recorder.start();
    drawUntil(2, () => recorder.stop());
  });
  const reader = new FileReader();
  await new Promise((done) => {
    reader.onload = done;
    reader.readAsDataURL(new Blob(parts));
  });
  return { picture, video: reader.result };
}

/** A second of a sine as WAV: PCM, 8 bits, mono; it swells and fades, so that it does not click. */
function toneOf(frequency) {
  const rate = 8000;
  const wav = Buffer.alloc(44 + rate);
  wav.write('RIFF', 0);
  wav.writeUInt32LE(36 + rate, 4);
  wav.write('WAVEfmt ', 8);
  wav.writeUInt32LE(16, 16);
  wav.writeUInt16LE(1, 20);
  wav.writeUInt16LE(1, 22);
  wav.writeUInt32LE(rate, 24);
  wav.writeUInt32LE(rate, 28);
  wav.writeUInt16LE(1, 32);
  wav.writeUInt16LE(8, 34);
  wav.write('data', 36);
  wav.writeUInt32LE(rate, 40);
  for (let i = 0; i < rate; i++) {
    const loudness = 90 * Math.min(1, i / 80, (rate - i) / 800);
    wav[44 + i] = 128 + Math.round(loudness * Math.sin((2 * Math.PI * frequency * i) / rate));
  }
  return wav;
}

const bytesOf = (dataUrl) => Buffer.from(dataUrl.slice(dataUrl.indexOf(',') + 1), 'base64');

const browser = await chromium.launch({ executablePath: process.argv[2] ?? '/usr/bin/chromium' });
const page = await browser.newPage();
const { picture, video } = await page.evaluate(film, harmonic);
await browser.close();
writeFileSync(fileOf('standing-wave.png'), bytesOf(picture));
writeFileSync(fileOf('standing-wave.webm'), bytesOf(video));
writeFileSync(fileOf('third-harmonic.wav'), toneOf(harmonic * fundamental));
