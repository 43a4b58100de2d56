#!/usr/bin/env node
// SPDX-License-Identifier: Apache-2.0
//
// Runs a tfjs graph-model in tfjs itself, to check the GraphDef that tfjs_graph.py makes of it.
//
//   run_tfjs.js NODE_DIR MODEL.json INPUT_DIR OUTPUT_DIR NAME...
//
// NODE_DIR is the folder that make_venv.sh --node filled.  INPUT_DIR holds <input>.npy, OUTPUT_DIR
// receives <NAME>.npy for each NAME (node names).  Compare with compare.py EXPECTED_DIR OUTPUT_DIR.
'use strict';

const fs = require('fs');
const path = require('path');
const {createRequire} = require('module');

const NPY_TYPES = {'<f4': Float32Array, '<i4': Int32Array, '|u1': Uint8Array};

function readNpy(file) {
  const bytes = fs.readFileSync(file);
  const start = 10 + bytes.readUInt16LE(8);
  const header = bytes.toString('latin1', 10, start);
  const ArrayType = NPY_TYPES[/'descr': '([^']*)'/.exec(header)[1]];
  const shape = /'shape': \(([^)]*)\)/.exec(header)[1].split(',').filter(s => s.trim()).map(Number);
  return {shape, data: new ArrayType(bytes.buffer.slice(bytes.byteOffset + start))};
}

function writeNpy(file, shape, data) {
  const descr = data instanceof Float32Array ? '<f4' : '<i4';
  const text = `{'descr': '${descr}', 'fortran_order': False, 'shape': (${shape.map(d => d + ',').join('')}), }`;
  const header = text.padEnd(Math.ceil((text.length + 11) / 64) * 64 - 11) + '\n';
  const preamble = Buffer.from('\x93NUMPY\x01\x00\0\0', 'latin1');
  preamble.writeUInt16LE(header.length, 8);
  const body = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  fs.writeFileSync(file, Buffer.concat([preamble, Buffer.from(header), body]));
}

function fileHandler(modelFile) {
  const model = JSON.parse(fs.readFileSync(modelFile));
  const shards = model.weightsManifest.flatMap(group => group.paths)
    .map(name => fs.readFileSync(path.join(path.dirname(modelFile), name)));
  const weights = Buffer.concat(shards);
  return {load: async () => ({
    modelTopology: model.modelTopology,
    signature: model.signature,
    userDefinedMetadata: model.userDefinedMetadata,
    weightSpecs: model.weightsManifest.flatMap(group => group.weights),
    weightData: weights.buffer.slice(weights.byteOffset, weights.byteOffset + weights.length),
  })};
}

const fileName = name => name.replace(/[/:]/g, '_') + '.npy';

async function main([nodeDir, modelFile, inputDir, outputDir, ...names]) {
  if (!names.length) {
    throw new Error('usage: run_tfjs.js NODE_DIR MODEL.json INPUT_DIR OUTPUT_DIR NAME...');
  }
  const load = createRequire(path.resolve(nodeDir, 'package.json'));
  const tf = load('@tensorflow/tfjs-core');
  load('@tensorflow/tfjs-backend-cpu');
  await tf.setBackend('cpu');
  const model = await load('@tensorflow/tfjs-converter').loadGraphModel(fileHandler(modelFile));
  const feeds = {};
  for (const {name, dtype} of model.inputs) {
    const {shape, data} = readNpy(path.join(inputDir, fileName(name.replace(/:0$/, ''))));
    feeds[name] = tf.tensor(data, shape, dtype === 'float32' ? 'float32' : 'int32');
  }
  const results = [await model.executeAsync(feeds, names)].flat();
  fs.mkdirSync(outputDir, {recursive: true});
  for (const [index, result] of results.entries()) {
    writeNpy(path.join(outputDir, fileName(names[index])), result.shape, await result.data());
  }
}

main(process.argv.slice(2)).catch(error => {
  console.error(error.message);
  process.exitCode = 1;
});
